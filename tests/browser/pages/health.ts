// The daemon's health, asked with nothing but what a browser has.
export async function health(baseUrl: string, token: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${baseUrl}/v1/health`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: await answer.json() };
}

// For the test of the room itself.
export function complain(): void {
  void Promise.reject(new Error("nobody handles this"));
}
