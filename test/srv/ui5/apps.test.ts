import { runInNewContext } from 'node:vm'
import { serverUrl } from '../../support/server.ts'

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${serverUrl()}${path}`, { headers, redirect: 'manual' })

const isBuilt = async () => (await (await get('/ui5/state')).json()) as { is: string }

describe('the pages of the apps', () => {
  it.each(['/', '/apps/buyer/index.html'])(
    '%s allows no foreign, inline or evaluated script',
    async (path) => {
      const policy = (await get(path)).headers.get('content-security-policy')!
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("object-src 'none'")
      expect(policy).not.toContain('unsafe-eval')
    },
  )

  it('say that the libraries are missing where they are, and are there where not', async () => {
    const { is } = await isBuilt()
    const page = await get('/apps/buyer/index.html')
    const library = await get('/resources/sap-ui-core.js')
    const [status, mark] = is === 'built' ? [200, 'sap-ui-bootstrap'] : [503, 'waiting.js']
    expect([page.status, library.status]).toEqual([status, status])
    expect(await page.text()).toContain(mark)
  })

  it('name the build of their libraries, which browsers keep until there is another', async () => {
    if ((await isBuilt()).is !== 'built') return
    const page = await (await get('/apps/buyer/')).text()
    const [library] = /\/resources\/~[^"]+/.exec(page)!
    const cacheOf = async (path: string) => (await get(path)).headers.get('cache-control')
    expect(await cacheOf(library)).toBe('public, max-age=31536000, immutable')
    expect(await cacheOf(library.replace(/~[^/]+/, '~of-another-build'))).toBe('no-cache')
    expect(await cacheOf('/resources/sap-ui-core.js')).toBe('no-cache')
  })

  it.each(['buyer', 'admin'])('%s gives its modules, views and texts in one file', async (app) => {
    const path = `/apps/${app}/Component-preload.js`
    const preload = await get(path)
    const text = await preload.text()
    const entries: Record<string, unknown> = {}
    const preloadAll = (given: object) => Object.assign(entries, given)
    runInNewContext(text, { sap: { ui: { require: { preload: preloadAll } } } })
    expect(typeof entries[`restock/${app}/Component.js`]).toBe('function')
    expect(entries[`restock/${app}/i18n/i18n_de.properties`]).toContain('appTitle')
    expect(preload.headers.get('cache-control')).toBe('no-cache')
    expect(preload.headers.get('etag')).toBe((await get(path)).headers.get('etag'))
  })

  it('serve no file outside their folders', async () => {
    for (const path of [
      '/apps/buyer/..%2f..%2fui5.yaml',
      '/ui5.yaml',
      '/apps/router/xs-app.json',
    ]) {
      expect((await get(path)).status).toBeGreaterThanOrEqual(400)
    }
  })

  it('tell a launchpad how to find the app', async () => {
    const manifest = await (await get('/apps/buyer/manifest.json')).json()
    const { inbounds } = (manifest as { 'sap.app': { crossNavigation: { inbounds: object } } })[
      'sap.app'
    ].crossNavigation
    expect(Object.keys(inbounds)).toEqual(['OrderProposal-manage', 'OrderProposal-display'])
  })
})

describe('another origin', () => {
  const Origin = 'https://evil.example'
  const Authorization = `Basic ${Buffer.from('buyer:buyer').toString('base64')}`

  it('is given no leave to read what a user may read', async () => {
    const answer = await get('/odata/v4/buyer/overview()', { Origin, Authorization })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('is given no leave by a preflight', async () => {
    const answer = await fetch(`${serverUrl()}/odata/v4/buyer/overview()`, {
      method: 'OPTIONS',
      headers: { Origin, 'Access-Control-Request-Method': 'GET' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})
