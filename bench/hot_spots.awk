# Sums up `perf script -F ip,sym,dso`: the share of samples by function, and for the kernel by the system call that led there.
# Interrupts and page faults count as the kernel's under the function they hit.
/^$/ { finish(); next }
{
  address = $1
  dso = $NF
  symbol = $0
  sub(/^[ \t]*[0-9a-f]+ /, "", symbol)
  sub(/ \([^()]*\)$/, "", symbol)
  if (++depth == 1) { own = symbol; kernel = dso ~ /kernel/ }
  if (kernel && !entered && dso !~ /kernel/) { own = "kernel, for " symbol; entered = 1 }
}
END {
  finish()
  for (name in samples) printf "%5.1f%%  %s\n", 100 * samples[name] / total, short(name)
}
function finish() {
  if (depth) { ++total; ++samples[own] }
  depth = kernel = entered = 0
}
function short(name) {
  gsub(/\[abi:cxx11\]/, "", name)
  gsub(/\(anonymous namespace\)::/, "", name)
  gsub(/boost::asio::detail::/, "asio::", name)
  return length(name) > 110 ? substr(name, 1, 107) "..." : name
}
