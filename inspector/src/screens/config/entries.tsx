// The entries of one config file, once it was read: loading, why it cannot be read, or what is in it.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ConfigEntries, type Listing } from "../../lib/config_entries.js";
import { useApp } from "../../lib/context.js";
import { problemOf } from "../../lib/problem.js";
import { nameOf } from "../../state/file_paths.js";
import type { Problem } from "../../state/problem.js";
import type { ConfigKind } from "../../state/route.js";
import { RouteLink } from "../route_link.js";
import { Chosen } from "./chosen.js";
import { Trouble } from "./trouble.js";

type Now = Listing | { readonly state: "loading" } | { readonly state: "failed"; readonly problem: Problem };

export function Entries({ folder, kind }: { folder: string; kind: ConfigKind }) {
  const app = useApp();
  const store = useMemo(() => new ConfigEntries(() => app.daemon, app.folders, folder, kind), [folder, kind]);
  const [now, setNow] = useState<Now>({ state: "loading" });
  const isHere = useRef(true);
  useEffect(() => () => void (isHere.current = false), []);
  const load = async () => {
    const listing = await store.list().catch((error: unknown) => ({ state: "failed", problem: problemOf(error) }) as const);
    if (isHere.current) setNow(listing);
  };
  useEffect(() => void load(), []);
  const retry = () => {
    app.folders.forget("");
    setNow({ state: "loading" });
    void load();
  };
  switch (now.state) {
    case "loading":
      return <p class="quiet pad">Loading …</p>;
    case "no folder":
      return (
        <Trouble
          problem={{
            message: folder.startsWith("/")
              ? `There is no folder ${folder}.`
              : "Write the whole path of the folder, from / on.",
          }}
          onRetry={retry}
        />
      );
    case "failed":
      return <Trouble problem={now.problem} onRetry={retry} />;
    case "broken":
      return (
        <Trouble problem={brokenProblem(now)} onRetry={retry}>
          <RouteLink class="button" route={{ screen: "files", path: store.path }}>
            Open {nameOf(store.path)} in Files
          </RouteLink>
        </Trouble>
      );
    case "ready":
      return <Chosen store={store} kind={kind} listing={now} onChanged={load} />;
  }
}

function brokenProblem({ detail, mark }: Extract<Listing, { state: "broken" }>): Problem {
  return { message: detail, ...(mark && { hint: `It goes wrong at line ${mark.line}, column ${mark.column}.` }) };
}
