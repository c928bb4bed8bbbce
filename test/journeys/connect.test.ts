import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { CLIENT, type Erp, type PairTruth, startErp } from '../../sandbox/index.ts'
import { openBrowser, openWindow } from '../support/browser.ts'
import { RestockCommand } from '../support/command.ts'
import { Service, until } from '../support/service.ts'
import { parseJson } from '../support/json.ts'

let service: Service
let erp: Erp
let browser: Browser

beforeAll(async () => {
  erp = await startErp({ size: 40, days: 90, pkce: 'required', issuer: 'own' })
  service = await Service.inTemporaryFolder()
  await service.start({ RESTOCK_DEMO: 'key' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.clean()
  await erp?.close()
})
beforeEach(() => erp.control.set({ grantExtra: [], grantWithout: [], refreshRefused: false }))

const restock = (...args: string[]) =>
  new RestockCommand(args, {
    RESTOCK_URL: `${service.url}/v1`,
    RESTOCK_CLIENT_SECRET: CLIENT.secret,
  })

const connect = (...more: string[]) =>
  restock(
    ...['connect', '--source', 's4hana', '--account', erp.url, '--role', 'Z_RESTOCK_READ'],
    ...['--client-id', CLIENT.id, '--no-browser', ...more],
  )

/** Waits for the address of the consent page, opens it, and presses a button there. */
async function decide(command: RestockCommand, button: 'Allow' | 'Deny') {
  let address = ''
  await until(async () => {
    address = /https?:[^\s"]+\/authorize\?[^\s"]+/.exec(command.stdout + command.stderr)?.[0] ?? ''
    return address !== ''
  }, 120)
  const { page, problems, close } = await openWindow(browser)
  await page.goto(address)
  await page.getByRole('button', { name: button }).click()
  await page.waitForURL(`${service.url}/oauth/callback*`)
  const seen = { heading: await page.getByRole('heading').innerText(), url: page.url(), problems }
  const text = await page.locator('main').innerText()
  await close()
  return { ...seen, text }
}

const lastLine = (command: RestockCommand) =>
  parseJson<{ id: string }>(command.stdout.trim().split('\n').at(-1)!)

describe('connecting an S/4HANA in a browser', () => {
  it('goes from the command over the consent page to proposals', async () => {
    const command = connect()
    const { heading, text, problems, url } = await decide(command, 'Allow')
    expect(heading).toBe('Connected, you may close this window')
    expect(text).toContain(erp.url)
    expect(problems).toEqual([])
    expect(await command.ended).toBe(0)
    expect(command.stdout).toMatch(/API_MATERIAL_STOCK_SRV_0001 +API_MATERIAL_STOCK_SRV_0001/)
    expect(command.stdout).not.toContain('NOT GRANTED')
    const [, source] = /Connected (src_\d+)/.exec(command.stdout)!

    const sync = restock('sync', '--source', source!, '--full', '--json')
    expect(await sync.ended).toBe(0)
    expect(JSON.parse(sync.stdout)).toMatchObject({ status: 'succeeded', issues: [] })

    const [{ location }] = [...erp.truth()] as [PairTruth]
    const list = restock('proposals', 'list', '--location', location, '--json')
    expect(await list.ended).toBe(0)
    const skus = new Set([...erp.truth()].map(({ sku }) => sku))
    const proposals = parseJson<{ data: { sku: string }[] }>(list.stdout).data
    expect(proposals.length).toBeGreaterThan(0)
    for (const { sku } of proposals) expect(skus.has(sku)).toBe(true)

    expect(erp.log.filter(({ data, method }) => data && method !== 'GET')).toEqual([])
    const { searchParams } = new URL(url)
    const output = command.stdout + command.stderr + sync.stdout + sync.stderr
    const database = await readFile(service.database, 'latin1')
    const log = await readFile(`${service.database}-wal`, 'latin1').catch(() => '')
    const secrets = [CLIENT.secret, searchParams.get('code')!, erp.basic.split(' ')[1]!]
    for (const secret of secrets) {
      for (const place of [service.log, database, log]) expect(place.includes(secret)).toBe(false)
      expect(output).not.toContain(secret)
    }
    expect((service.log + database + log).includes(searchParams.get('state')!)).toBe(false)
  })

  it('ends with the reason where the consent is denied', async () => {
    const command = connect('--json')
    const { heading } = await decide(command, 'Deny')
    expect(heading).toBe('Consent denied')
    expect(await command.ended).toBe(1)
    expect(command.stderr).toContain('The consent was denied.')
    expect(command.stdout.trim().split('\n')).toHaveLength(2)
    expect(lastLine(command)).toMatchObject({
      ...{ status: 'pending_consent', problem: { code: 'consent_denied' } },
    })
  })

  it('refuses rights that were not asked for', async () => {
    erp.control.set({ grantExtra: ['API_BILLING_DOCUMENT_SRV_0001'] })
    const command = connect('--json')
    const { heading, text } = await decide(command, 'Allow')
    expect(heading).toBe('Not connected')
    expect(text).toContain('API_BILLING_DOCUMENT_SRV_0001')
    expect(await command.ended).toBe(1)
    expect(lastLine(command)).toMatchObject({ granted_rights: [] })
  })

  it('shows rights that are missing', async () => {
    erp.control.set({ grantWithout: ['API_PLANT_SRV_0001'] })
    const command = connect()
    expect((await decide(command, 'Allow')).text).toContain('API_PLANT_SRV_0001')
    expect(await command.ended).toBe(0)
    expect(command.stdout).toMatch(/API_PLANT_SRV_0001 +NOT GRANTED/)
    expect(command.stdout).toMatch(/locations: forbidden/)
  })
})

describe('a consent that has ended', () => {
  it('is reported by the sync, and connecting again repairs it', async () => {
    const command = connect('--json', '--option', 'history_days=90')
    await decide(command, 'Allow')
    await command.ended
    const { id } = lastLine(command)
    erp.control.set({ refreshRefused: true })
    erp.control.expireTokens()
    const failed = restock('sync', '--source', id, '--full', '--json')
    expect(await failed.ended).toBe(1)
    expect(JSON.parse(failed.stdout)).toMatchObject({
      status: 'failed',
      issues: expect.arrayContaining([expect.objectContaining({ code: 'reconsent_required' })]),
    })
    const api = await service.api()
    expect((await api.get(`/sources/${id}`)).data).toMatchObject({
      ...{ status: 'reconsent_required', problem: { code: 'consent_ended' } },
    })
    erp.control.set({ refreshRefused: false })
    const again = restock('connect', '--again', id, '--no-browser')
    expect((await decide(again, 'Allow')).heading).toContain('Connected')
    expect(await again.ended).toBe(0)
    const sync = restock('sync', '--source', id, '--full', '--json')
    expect(await sync.ended).toBe(0)
    expect(JSON.parse(sync.stdout)).toMatchObject({ status: 'succeeded' })
  })

  it('by time goes on with a new token in the middle of a sync', async () => {
    erp.control.set({ tokenSeconds: 0, tokenGraceSeconds: 3600 })
    const command = connect('--json', '--option', 'page_size=20', '--option', 'language=DE')
    await decide(command, 'Allow')
    await command.ended
    const { id } = lastLine(command)
    const before = erp.log.filter(({ path }) => path.endsWith('/token')).length
    const sync = restock('sync', '--source', id, '--full', '--json')
    expect(await sync.ended).toBe(0)
    erp.control.set({ tokenSeconds: 3600, tokenGraceSeconds: 0 })
    expect(JSON.parse(sync.stdout)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(erp.log.filter(({ path }) => path.endsWith('/token')).length).toBeGreaterThan(before)
  })
})
