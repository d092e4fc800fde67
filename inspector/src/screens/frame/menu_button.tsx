// A button that opens a menu, which is loaded then.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { MenuItem } from "../../parts/menu.js";
import { onDemand } from "../../parts/on_demand.js";

const menu = onDemand(async () => (await import("../../parts/menu.js")).Menu);

export interface MenuButtonProps {
  readonly class: string;
  readonly label: string;
  readonly title?: string;
  readonly items: () => readonly MenuItem[];
  readonly children: ComponentChildren;
}

export function MenuButton({ label, title, items, children, ...rest }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, open] = useState(false);
  const Menu = menu.use(isOpen);
  return (
    <>
      <button
        {...rest}
        ref={button}
        type="button"
        aria-label={label}
        title={title}
        aria-description={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => open(!isOpen)}
      >
        {children}
      </button>
      {isOpen && Menu && <Menu label={label} items={items()} anchor={() => button.current} onClose={() => open(false)} />}
    </>
  );
}
