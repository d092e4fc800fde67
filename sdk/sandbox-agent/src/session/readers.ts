// Who reads streams of their own, by what ends each. When all were told to end, whoever comes later ends at once. A set of calls, not
// one signal that all listen to: Node warns of eleven listeners.
export class Readers extends Set<() => void> {
  end(): void {
    for (const end of this) end();
    this.add = (end) => (end(), this);
  }
}
