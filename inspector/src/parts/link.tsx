// A link out of an agent's text: to the web in a new tab, telling nothing about this page; other addresses are only shown.
import type { ComponentChildren } from "preact";
import "./link.css";
import { linkTarget } from "./link_target.js";

export interface LinkProps {
  href: string;
  title?: string | undefined;
  children?: ComponentChildren;
}

export function Link({ href, title, children }: LinkProps) {
  const target = linkTarget(href);
  if (target === undefined) {
    return (
      <span class="link-inert">
        {children} {children === href ? null : <span class="link-target">({href})</span>}
      </span>
    );
  }
  return (
    <a class="link" href={target} title={title} target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">
      {children ?? target}
    </a>
  );
}
