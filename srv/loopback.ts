const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/** Whether a host name or address is this machine alone. */
export const isLoopbackHost = (host: string) => LOOPBACK.test(host)
