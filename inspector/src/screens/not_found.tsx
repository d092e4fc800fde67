import { RouteLink } from "./route_link.js";

export function NotFound() {
  return (
    <div class="empty">
      <h1>There is nothing here</h1>
      <p>This address belongs to no screen of the inspector. It may come from another version.</p>
      <RouteLink class="button button-main" route={{ screen: "chat" }}>
        Go to Chat
      </RouteLink>
    </div>
  );
}
