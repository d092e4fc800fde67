// A worker that talks to an agent. The page's bundle is also the worker's.
import { SandboxAgent } from "sandbox-agent";

interface Task {
  baseUrl: string;
  token: string;
}

/** In the page: a turn in a worker; its text. */
export async function askInWorker(baseUrl: string, token: string): Promise<string> {
  const worker = new Worker("/program.js", { type: "module" });
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage({ baseUrl, token } satisfies Task);
    });
  } finally {
    worker.terminate();
  }
}

async function work(task: Task): Promise<string> {
  const agent = await SandboxAgent.connect(task);
  const session = await agent.createSession({ agent: "mock", cwd: "/" });
  let text = "";
  for await (const event of session.prompt("hello")) if (event.type === "text") text += event.text;
  await agent.dispose();
  return text;
}

if (!("document" in globalThis)) {
  addEventListener("message", ({ data }: MessageEvent<Task>) => {
    work(data).then(postMessage, (error: unknown) => postMessage(String(error)));
  });
}
