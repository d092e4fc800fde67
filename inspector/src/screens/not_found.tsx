import { useApp } from "../lib/context.js";

export function NotFound() {
  const app = useApp();
  return (
    <div class="empty">
      <h1>There is nothing here</h1>
      <p>This address belongs to no screen of the inspector. It may come from another version.</p>
      <a
        class="button button-main"
        href="/ui/"
        onClick={(event) => {
          event.preventDefault();
          app.go({ screen: "chat" });
        }}
      >
        Go to Chat
      </a>
    </div>
  );
}
