// How many bytes something has, in words. All of the page counts by thousands, as disks and networks do.

const units = ["kB", "MB", "GB", "TB"];

/** "812 B", "4.1 kB", "12 MB", "5 MB". */
export function sizeWords(bytes: number): string {
  if (bytes < 999.5) return `${Math.round(bytes)} B`;
  let [value, at] = [bytes / 1000, 0];
  for (; value >= 999.5 && at < units.length - 1; at++) value /= 1000;
  return `${Number.isInteger(value) || value >= 9.95 ? value.toFixed(0) : value.toFixed(1)} ${units[at]}`;
}
