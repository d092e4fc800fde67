// A menu beside the button that opened it, above everything else. Arrows, Home, End and first letters move; Esc, Tab, a press elsewhere,
// and what takes the button from its place close it. The focus goes back to the button.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icon.js";
import "./menu.css";

export interface MenuItem {
  readonly name: string;
  readonly icon?: IconName;
  /** One of several, of which one is chosen; left out: something to do. */
  readonly isChosen?: boolean;
  readonly onChoose: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** The button; it may be drawn anew while the menu is open. */
  readonly anchor: () => HTMLElement | null;
  /** `isChosen`: something was; it is done after this. */
  readonly onClose: (isChosen: boolean) => void;
}

const gap = 4; // pixels to the button, and to the edge of the window

export function Menu({ label, items, anchor, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const close = (isChosen = false) => {
    anchor()?.focus();
    onClose(isChosen);
  };
  const rows = () => [...menu.current!.querySelectorAll<HTMLElement>("[role^=menuitem]")];
  useLayoutEffect(() => {
    const list = menu.current!;
    list.showPopover();
    const place = anchor()?.getBoundingClientRect() ?? new DOMRect();
    const { offsetWidth: width, offsetHeight: height } = list;
    const below = place.bottom + gap;
    const top = below + height > innerHeight ? Math.max(gap, place.top - height - gap) : below;
    list.style.top = `${top}px`;
    list.style.left = `${Math.max(gap, Math.min(place.right - width, innerWidth - width - gap))}px`;
    const chosen = items.findIndex(({ isChosen }) => isChosen);
    rows()[Math.max(0, chosen)]?.focus();
  }, []);
  useEffect(() => {
    const press = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node) && !anchor()?.contains(target as Node)) close();
    };
    const scroll = ({ target }: Event) => {
      if ((target as Node).contains(anchor())) close();
    };
    const resize = () => close();
    document.addEventListener("pointerdown", press);
    document.addEventListener("scroll", scroll, true);
    window.addEventListener("resize", resize);
    return () => {
      document.removeEventListener("pointerdown", press);
      document.removeEventListener("scroll", scroll, true);
      window.removeEventListener("resize", resize);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = rows();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const places: Record<string, number> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const byLetter = [...all.slice(at + 1), ...all.slice(0, at + 1)].find(
      ({ textContent }) => event.key.length === 1 && textContent.toLowerCase().startsWith(event.key.toLowerCase()),
    );
    if (event.key === "Tab") return close(); // and on from the button
    event.stopPropagation(); // letters are the menu's
    if (event.key === "Escape") close();
    else if (places[event.key] !== undefined) all[places[event.key]!]?.focus();
    else if (event.key !== " " && byLetter) byLetter.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div ref={menu} popover="manual" class="menu" role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {items.map(({ name, icon, isChosen, onChoose }) => (
        <button
          key={name}
          type="button"
          class="menu-item"
          role={isChosen === undefined ? "menuitem" : "menuitemradio"}
          aria-checked={isChosen}
          tabIndex={-1}
          onClick={() => {
            close(true);
            onChoose();
          }}
        >
          {icon && <Icon name={icon} />}
          <span>{name}</span>
          {isChosen && <Icon name="check" />}
        </button>
      ))}
    </div>
  );
}
