// A web page made from one TypeScript file: bundled as an application would bundle it, with the built packages, and served on
// loopback by a plain server, whose origin is not the daemon's.
import { once } from "node:events";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const document = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>A page under test</title>
<script type="module" src="/program.js"></script>
`;

// `entry`: relative to this folder. What it exports is `globalThis.program` in the page.
export async function startSite(entry) {
  const files = {
    "/": ["text/html", document],
    "/program.js": ["text/javascript", await bundle(fileURLToPath(new URL(entry, import.meta.url)))],
  };
  const server = http.createServer((request, response) => {
    const [type, text] = files[request.url] ?? [];
    if (!text) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function bundle(file) {
  const start = "page:start";
  const { output } = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false, // so that an error in the page can be read
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: start, output: { codeSplitting: false } },
    },
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === start ? id : undefined),
        load: (id) =>
          id === start ? `import * as program from ${JSON.stringify(file)};\nglobalThis.program = program;` : undefined,
      },
    ],
  });
  return output[0].code;
}
