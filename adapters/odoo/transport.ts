/** How a method of a model is called: JSON-2 or JSON-RPC. */
export interface Transport {
  /** @param args the named arguments, `context` among them */
  call<T>(
    model: string,
    method: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ result: T; serverTime: number | null }>
}
