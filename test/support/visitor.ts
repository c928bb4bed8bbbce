// A browser without scripts: keeps cookies, follows redirects, fills in forms.
export class Visitor {
  /** By host. */
  readonly cookies = new Map<string, Map<string, string>>()

  async go(address: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(address)
    const jar = this.cookies.get(host) ?? new Map<string, string>()
    this.cookies.set(host, jar)
    const Cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), Cookie },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';')
      const [name, value] = [
        pair!.slice(0, pair!.indexOf('=')),
        pair!.slice(pair!.indexOf('=') + 1),
      ]
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return response
  }

  /** Follows redirects to the page behind them. */
  async open(address: string, init: RequestInit = {}): Promise<{ url: string; page: Response }> {
    let [url, page] = [address, await this.go(address, init)]
    for (let hops = 0; page.headers.has('location') && hops < 15; hops++) {
      url = new URL(page.headers.get('location')!, url).href
      page = await this.go(url)
    }
    return { url, page }
  }

  /** Opens a page of the service that leads to the provider, and signs in there. */
  async signIn(address: string, login: string) {
    const asked = await this.open(address)
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(await asked.page.text()) ?? []
    if (!action) throw new Error(`There is no form at ${asked.url}: ${asked.page.status}`)
    const body = new URLSearchParams({ prompt: 'login', login, password: 'any' })
    return this.open(new URL(action, asked.url).href, { method: 'POST', body })
  }
}
