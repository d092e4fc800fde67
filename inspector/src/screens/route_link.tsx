// A link within the page: goes there without loading it anew. With Ctrl and the like it is any link.
import type { ComponentChildren } from "preact";
import { useApp } from "../lib/context.js";
import { hrefOf, type Route } from "../state/route.js";

export interface RouteLinkProps {
  readonly route: Route;
  readonly id?: string;
  readonly class?: string;
  readonly "aria-current"?: "page" | undefined;
  readonly children: ComponentChildren;
}

export function RouteLink({ route, children, ...rest }: RouteLinkProps) {
  const app = useApp();
  return (
    <a
      {...rest}
      href={hrefOf(route)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        app.go(route);
      }}
    >
      {children}
    </a>
  );
}
