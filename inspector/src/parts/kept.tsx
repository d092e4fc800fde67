// Draws again only when what it draws is another thing.
import { Component, type ComponentChildren } from "preact";

export interface KeptProps {
  /** The thing that is drawn. */
  of: unknown;
  draw: () => ComponentChildren;
}

export class Kept extends Component<KeptProps> {
  override shouldComponentUpdate({ of }: KeptProps): boolean {
    return of !== this.props.of;
  }

  override render({ draw }: KeptProps) {
    return <>{draw()}</>;
  }
}
