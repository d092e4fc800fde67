// The sections of the page. On a phone a bar at the bottom: those used most, and More with all others.
import { useApp, useAppState } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import type { MenuItem } from "../../parts/menu.js";
import { usePhone } from "../../parts/use_media.js";
import { routeTo, sections, type Here, type Section } from "../../state/sections.js";
import { RouteLink } from "../route_link.js";
import { MenuButton } from "./menu_button.js";
import { themeItems } from "./themes.js";

const isMain = ({ screen }: Section) => screen === "chat" || screen === "trace";

export function Rail() {
  const app = useApp();
  const screen = useAppState(({ route }) => route.screen);
  const serverId = useAppState(() => app.here.serverId);
  const sessionId = useAppState(() => app.here.sessionId);
  const isPhone = usePhone();
  const isHome = useAppState(({ route }) => route.screen === "chat" && route.serverId === undefined);
  const here = { ...(serverId !== undefined && { serverId }), ...(sessionId !== undefined && { sessionId }) };
  const linkTo = (section: Section) => (
    <RouteLink
      key={section.name}
      route={routeTo(section, here)}
      aria-current={screen === section.screen && !(isPhone && isHome) ? "page" : undefined}
    >
      <Icon name={section.icon} />
      <span>{section.name}</span>
    </RouteLink>
  );
  if (!isPhone)
    return (
      <nav class="rail" aria-label="Sections">
        {sections.map(linkTo)}
      </nav>
    );
  const [chat, ...others] = sections.filter(isMain).map(linkTo);
  return (
    <nav class="rail" aria-label="Sections">
      {chat}
      <RouteLink route={{ screen: "chat" }} aria-current={isHome ? "page" : undefined}>
        <Icon name="log" />
        <span>Sessions</span>
      </RouteLink>
      {others}
      <More here={here} />
    </nav>
  );
}

function More({ here }: { here: Here }) {
  const app = useApp();
  const isCurrent = useAppState(({ route }) => sections.some((section) => section.screen === route.screen && !isMain(section)));
  const items = (): MenuItem[] => [
    ...sections
      .filter((section) => !isMain(section))
      .map((section) => ({ name: section.name, icon: section.icon, onChoose: () => app.go(routeTo(section, here)) })),
    { name: "Search", icon: "search", onChoose: () => app.open("palette") },
    { name: "Keys", icon: "keyboard", onChoose: () => app.open("keys") },
    ...themeItems(app).map((item) => ({ ...item, name: `Theme: ${item.name.toLowerCase()}` })),
  ];
  return (
    <MenuButton class={isCurrent ? "rail-more rail-more-current" : "rail-more"} label="More" items={items}>
      <Icon name="more" />
      <span>More</span>
    </MenuButton>
  );
}
