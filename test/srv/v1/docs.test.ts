import { openBrowser, openWindow } from '../../support/browser.ts'
import { serverUrl } from '../../support/server.ts'

const url = () => serverUrl()

it('shows every call in a browser, asks no other server, and keeps its own policy', async () => {
  const browser = await openBrowser()
  try {
    const { page, problems } = await openWindow(browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${url()}/docs`)
    await page.getByText('/proposals/{id}/approve', { exact: true }).waitFor()
    expect(page.url()).toBe(`${url()}/docs/`)
    const operations = await page.locator('.opblock').count()
    const answer = await fetch(`${url()}/v1/openapi.json`)
    const document = (await answer.json()) as { paths: object }
    const methods = Object.values(document.paths).flatMap((path) => Object.keys(path as object))
    expect(operations).toBe(methods.length)
    await page.getByText('/webhooks/{id}/rotate', { exact: true }).click()
    await page.getByText('for 24 hours calls are signed').first().waitFor()
    expect(asked.filter((each) => !each.startsWith(url()) && !each.startsWith('data:'))).toEqual([])
    expect(problems).toEqual([])
  } finally {
    await browser.close()
  }
})

it('lets no script but its own run, and nobody frame it', async () => {
  const answer = await fetch(`${url()}/docs/`)
  const policy = answer.headers.get('content-security-policy')!
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe-eval')
})
