import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { CLIENT, type Erp, startErp } from '../../sandbox/index.ts'
import { openBrowser } from '../support/browser.ts'
import { configure, temporaryFolder } from '../support/configure.ts'
import { Instance } from '../support/instance.ts'
import { until } from '../support/service.ts'
import { button, dialog, field, hasUi5, type Look, openWindow, rows, seriousIssues } from './app.ts'

// The apps need the built UI5 libraries: `npm run ui5`.
const withUi5 = hasUi5() ? describe : describe.skip

configure({ credentials: { url: path.join(temporaryFolder, 'restock.sqlite') } })

let service: Instance
let erp: Erp
let browser: Browser

/** The last days before today, latest first. */
const daysBack = (count: number) =>
  Array.from({ length: count }, (_, day) =>
    new Date(Date.now() - (day + 1) * 86_400_000).toISOString().slice(0, 10),
  )

/** Two months of steady demand for two SKUs; one has no lead time. */
async function writeShop() {
  const demand = ['MUG', 'CUP'].flatMap((sku) => daysBack(60).map((day) => `${sku},SHOP,${day},4`))
  await writeFiles('shop', {
    'demand.csv': ['sku,location,date,quantity', ...demand, 'MUG,SHOP,yesterday,4'],
    'stock.csv': ['sku,location,on_hand', 'MUG,SHOP,3', 'CUP,SHOP,3'],
    'planning.csv': ['sku,location,lead_time_days', 'CUP,SHOP,7'],
  })
}

/** A year of demand, enough for a backtest. */
async function writeCellar() {
  const demand = daysBack(365).map((day, at) => `KEG,CELLAR,${day},${3 + ((at * 7919) % 5)}`)
  await writeFiles('cellar', {
    'demand.csv': ['sku,location,date,quantity', ...demand],
    'stock.csv': ['sku,location,on_hand', 'KEG,CELLAR,900'],
    'planning.csv': ['sku,location,lead_time_days', 'KEG,CELLAR,7'],
  })
}

async function writeFiles(account: string, files: Record<string, string[]>) {
  const folder = path.join(temporaryFolder, account)
  await mkdir(folder)
  for (const [name, lines] of Object.entries(files)) {
    await writeFile(path.join(folder, name), `${lines.join('\n')}\n`)
  }
}

/** Connects a csv source and runs a full sync. */
async function connect(account: string) {
  const { json } = await service.call('POST', '/sources', {
    ...{ type: 'csv', account, role: 'reader' },
  })
  const sync = await service.call('POST', `/sources/${json.id}/sync`, { mode: 'full' })
  await until(async () => {
    const { json } = await service.call('GET', `/syncs/${sync.json.id}`)
    return ['succeeded', 'partial'].includes(json.status)
  })
}

beforeAll(async () => {
  if (!hasUi5()) return
  await writeShop()
  await writeCellar()
  erp = await startErp({ size: 60, days: 150 })
  service = await Instance.start()
  await connect('shop')
  await connect('cellar')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.end()
  await erp?.close()
})

/** Harmless error: UI5 looks for a context menu command that tables without a context menu lack. */
const OF_UI5 = /DeleteEntry::ContextMenu/

async function open(area: string, look: Look = {}) {
  const window = await openWindow(browser, { user: 'admin', ...look })
  await goTo(window.page, area)
  const errors = () => window.errors.filter((each) => !OF_UI5.test(each))
  return { ...window, errors }
}

async function goTo(page: Page, area: string) {
  await page.goto(`${service.url}/apps/admin/index.html#/${area}`)
  await page
    .locator('.sapMPage:visible, .sapFDynamicPage:visible, .sapUxAPObjectPageLayout:visible')
    .first()
    .waitFor()
}

interface Row {
  [element: string]: unknown
  sku: string
  location: string
  ID: number
}

/** Reads from the service directly, without the app. */
async function read(path: string, user = 'admin') {
  const Authorization = `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`
  const answer = await fetch(`${service.url}/odata/v4/${path}`, { headers: { Authorization } })
  return ((await answer.json()) as { value: Row[] }).value
}

withUi5('the admin’s first hour', () => {
  it('connects an ERP by consent, sees its rights, and watches the first sync', async () => {
    const { page, errors, close } = await open('Sources')
    await button(page, 'Connect an ERP').click()
    await page.getByLabel(/^Address of the system/).waitFor()
    await button(page, 'Test connection').click()
    await page.getByText('This field is needed.').first().waitFor()
    await page.getByLabel(/^Address of the system/).fill('http://127.0.0.1:9')
    await page.getByLabel(/^Client ID/).fill(CLIENT.id)
    await button(page, 'Test connection').click()
    await page.getByText(/did not answer \(ECONNREFUSED\)/).waitFor()
    expect(await read(`admin/Sources?$filter=type eq 's4hana'`)).toEqual([])
    const other = page.getByLabel(/^Other address/)
    await other.fill('nowhere')
    await button(page, 'Test connection').click()
    await page.locator('input[aria-invalid=true]').waitFor()
    expect(await other.getAttribute('aria-invalid')).toBe('true')
    expect(await seriousIssues(page)).toEqual([])
    await other.fill('')
    // The browser and UI5 log each refusal.
    const isRefusal = (text: string) => /400|424|testConnection/.test(text)
    await page.getByLabel(/^Address of the system/).fill(erp.url)
    await page.getByLabel(/^Display-only role/).fill('Z_RESTOCK_READ')
    await page.getByLabel(/^Client ID/).fill(CLIENT.id)
    await page.getByLabel(/^Client secret/).fill(CLIENT.secret)
    await button(page, 'Test connection').click()
    await page.getByText('The ERP can be reached.').waitFor()
    expect(await read(`admin/Sources?$filter=type eq 's4hana'`)).toEqual([])
    const [consent] = await Promise.all([
      page.context().waitForEvent('page'),
      button(page, 'Connect and consent').click(),
    ])
    // Asked of whom the browser says to come from another site, as it does of this app's window.
    const goOn = consent.getByRole('link', { name: 'Go on' })
    const allow = consent.getByRole('button', { name: 'Allow' })
    await goOn.or(allow).waitFor()
    if (await goOn.isVisible()) await goOn.click()
    await allow.click()
    await consent.getByText('Connected, you may close this window').waitFor()
    await page.getByText('Connected.').waitFor()
    const [source] = await read(`admin/Sources?$filter=type eq 's4hana'`)
    expect(source).toMatchObject({ status: 'connected', rightsMissing: 0 })
    const rights = page.locator('[id$="--rights"] tbody tr')
    const needed = await read(`admin/Sources(${source!.ID})/rights`)
    await until(async () => (await rights.count()) === needed.length, 20)
    expect(await rights.first().innerText()).toMatch(/yes/)
    await button(page, 'Test reading').click()
    await page.getByText('Readable').first().waitFor()

    await button(page, 'Read everything now').click()
    await page
      .getByRole('heading', { name: /^sync_/ })
      .first()
      .waitFor()
    const text = () => page.locator('main').innerText()
    await until(async () => (await text()).includes('Succeeded'), 60)
    expect(await text()).toMatch(/100 of 100/)
    expect(errors().filter((each) => !isRefusal(each))).toEqual([])
    await close()
  })

  it('mends what blocks a pair by a rule, and the proposal is there', async () => {
    const { page, errors, close } = await open('BlockedPairs')
    await rows(page).first().waitFor()
    const [found] = await read(
      `admin/BlockedPairs?$filter=missing eq 'lead_time'&$orderby=sku,location&$top=1`,
    )
    const { sku, location } = found!
    const row = rows(page).filter({ hasText: sku }).filter({ hasText: location }).first()
    await row.getByRole('checkbox').click()
    await button(page, 'Set lead time').click()
    await field(page, /^Lead time/).fill('9')
    await button(dialog(page), 'Set lead time').click()
    await dialog(page).waitFor({ state: 'hidden' })
    const where = `sku eq '${sku}' and location eq '${location}'`
    await until(async () => !(await read(`admin/BlockedPairs?$filter=${where}`)).length, 30)
    const [rule] = await read(`admin/Policies?$filter=${where}`)
    expect(rule).toMatchObject({ level: 'sku+location', leadTimeDays: 9, updatedBy: 'admin' })
    expect(await read(`buyer/Proposals?$filter=${where}`)).toHaveLength(1)
    await goTo(page, 'Policies')
    await rows(page).filter({ hasText: sku }).first().waitFor()
    expect(errors()).toEqual([])
    await close()
  })

  it('makes a rule for an ABC class, which the list names', async () => {
    const { page, errors, close } = await open('Policies')
    await button(page, 'New ordering rule').click()
    const asked = page.getByRole('dialog', { name: 'New ordering rule' })
    // The list is empty before the classes are loaded.
    await until(async () => {
      const choice = page.getByText('Class B', { exact: true }).last()
      if (!(await choice.isVisible()))
        await asked.getByRole('combobox', { name: /^ABC class/ }).press('F4')
      await choice.click({ timeout: 3_000 })
      return true
    }, 60)
    await field(page, /^Service target/).fill('96')
    await field(page, /^Service target/).press('Tab')
    expect(await seriousIssues(page)).toEqual([])
    await button(asked, 'New ordering rule').click()
    await asked.waitFor({ state: 'hidden' })
    await rows(page).filter({ hasText: 'Class B' }).filter({ hasText: '96' }).first().waitFor()
    expect(await read(`admin/Policies?$filter=level eq 'class_b'`)).toMatchObject([
      { targetQuantile: 0.96, sku: '', skuGroup: '' },
    ])
    expect(errors()).toEqual([])
    await close()
  })

  it('issues a key and sees it only once', async () => {
    const { page, errors, close } = await open('ApiKeys')
    await button(page, 'Issue key').click()
    // Suggestions for a field are a dialog of their own.
    const asked = page.getByRole('dialog', { name: 'Issue key' })
    await asked.getByLabel('Name').first().fill('warehouse')
    const scopes = asked.getByLabel('Scopes').first()
    // The app ignores input before the scopes are loaded.
    await until(async () => {
      await scopes.fill('forecasts:read')
      await scopes.press('Tab')
      await asked.locator('.sapMToken').getByText('Read forecasts').waitFor({ timeout: 5_000 })
      return true
    }, 120)
    await button(asked, 'Issue key').click()
    await page.getByText('it is shown only once').waitFor()
    const key = await dialog(page).getByRole('textbox').inputValue()
    expect(key).toMatch(/^rsk_[0-9a-f]{16}_[\w-]{43}$/)
    const headers = { Authorization: `Bearer ${key}` }
    const answer = await fetch(`${service.url}/v1/forecasts?sku=x&location=y`, { headers })
    expect(answer.status).toBe(404)
    await button(dialog(page), 'Close').click()
    await rows(page).filter({ hasText: 'warehouse' }).first().waitFor()
    await until(async () => !(await page.content()).includes(key), 10)
    expect(errors()).toEqual([])
    await close()
  })
})

withUi5('the page of a user', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

  beforeAll(async () => {
    const deputy = { toUser: 'approver', validFrom: inDays(1), validTo: inDays(8) }
    const answer = await fetch(
      `${service.url}/odata/v4/admin/Approvers('buyer')/AdminService.addDeputy`,
      {
        ...{ method: 'POST', body: JSON.stringify(deputy) },
        headers: {
          Authorization: `Basic ${btoa('admin:admin')}`,
          'Content-Type': 'application/json',
        },
      },
    )
    expect(answer.status).toBe(200)
  })

  it('shows limit and deputies in one place, and sets the limit by keyboard', async () => {
    const { page, errors, close } = await open('Approvers')
    // What is pressed before the page is complete is lost.
    await page.locator('[id*="::FilterField::"]:focus').first().waitFor()
    await rows(page).filter({ hasText: 'buyer (Buyer)' }).first().press('Enter')
    await page
      .getByRole('heading', { name: /^buyer/ })
      .first()
      .waitFor()
    await button(page, 'Set limit').press('Enter')
    const typed = [
      [/^Limit \(order value\)/, '2,500'],
      [/^Currency/, 'USD'],
      [/^Locations/, 'SHOP'],
    ] as const
    // The dialog fills in what holds today once it is open, over what was typed before.
    await page.waitForLoadState('networkidle')
    for (const [label, text] of typed) {
      await field(page, label).fill(text)
      await field(page, label).press('Tab')
    }
    await button(dialog(page), 'Set limit').press('Enter')
    const shown = page.getByText('2,500.00 USD per line').locator('visible=true').first()
    await shown.waitFor({ timeout: 120_000 })
    await button(page, 'Remove limit').waitFor()
    await dialog(page).waitFor({ state: 'hidden' })
    await rows(page).filter({ hasText: 'approver' }).filter({ hasText: 'Upcoming' }).waitFor()
    await button(page, 'Add deputy').waitFor()
    expect(errors()).toEqual([])
    await close()
  })
})

withUi5('the overview', () => {
  it('says nothing before it has read how things are', async () => {
    const { page, close } = await openWindow(browser, { user: 'admin' })
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/odata\/v4\/admin\//, async (route) => {
      const asked = `${route.request().url()} ${route.request().postData() ?? ''}`
      if (/\b(Health|ToDos)\b/.test(asked)) await held
      await route.continue()
    })
    await page.goto(`${service.url}/apps/admin/index.html`)
    await page.locator('.sapMPage:visible .sapUiLocalBusyIndicator').first().waitFor()
    await page.waitForTimeout(1_000)
    const before = await page.locator('main').innerText()
    expect(before).not.toMatch(/all is well|undefined|never|Last sync/i)
    release()
    await page.getByRole('link', { name: 'Show rejected records' }).waitFor()
    expect(await page.locator('main').innerText()).toMatch(/Last sync/)
    await close()
  })

  it('says what to do, with the way to it', async () => {
    const { page, errors, close } = await open('')
    const cure = page.getByRole('link', { name: 'Show rejected records' })
    await cure.waitFor()
    await page.getByText('1 record from the ERP was rejected').waitFor()
    await page.getByText('Defaults in force').click()
    await page.getByText('10,000.00 EUR per line').first().waitFor()
    await cure.click()
    await rows(page).first().waitFor()
    expect(page.url()).toMatch(/#\/QuarantinedRows/)
    expect(errors()).toEqual([])
    await close()
  })
})

withUi5('a buyer at this address', () => {
  it('is told for whom the app is, with the way to their own', async () => {
    const { page, close } = await openWindow(browser, { user: 'buyer' })
    await page.goto(`${service.url}/apps/admin/index.html#/Sources`)
    await page.getByRole('heading', { name: 'This app is for administrators' }).waitFor()
    expect(await seriousIssues(page)).toEqual([])
    await page.getByRole('link', { name: 'Open the buyers' }).click()
    await page.waitForURL(/\/apps\/buyer\/index\.html#\/Home/)
    await close()
  })
})

withUi5('the page of a connection', () => {
  it('begins at a control that does no harm', async () => {
    const { page, close } = await open('Sources(1)')
    await page
      .getByRole('button', { name: 'Sync now', exact: true })
      .and(page.locator(':focus'))
      .waitFor()
    await close()
  })
})

withUi5('the auditor', () => {
  it('sees everything and is offered no change', async () => {
    const { page, errors, close } = await open('Sources(1)', { user: 'auditor' })
    await page.getByRole('heading', { name: 'shop' }).first().waitFor()
    for (const name of ['Sync now', 'Check', 'Change schedules', 'Consent again']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    }
    await goTo(page, '')
    await page.getByText('auditor (read only)').waitFor()
    await goTo(page, 'ApiKeys')
    await rows(page).first().waitFor()
    expect(await page.getByRole('button', { name: 'Issue key' }).count()).toBe(0)
    await goTo(page, 'AuditLog')
    await rows(page).first().waitFor()
    // What is pressed before the page is complete is lost.
    const answer = page.getByText(/The audit trail is intact/)
    await until(async () => {
      await button(page, 'Verify audit trail').click({ timeout: 5_000 })
      await answer.waitFor({ timeout: 20_000 })
      return true
    })
    expect(errors()).toEqual([])
    await close()
  })
})

withUi5('the quality of forecasts', () => {
  it('opens from the list: figures, how they went over time, and by class of demand', async () => {
    const { page, errors, close } = await open('ForecastQuality', { user: 'auditor' })
    await rows(page).filter({ hasText: 'cellar' }).click()
    await page.getByRole('heading', { name: 'cellar' }).first().waitFor()
    const chart = page.locator('.restockQuality svg')
    await chart.waitFor()
    const months = await read('admin/ForecastQuality(2)/byMonth', 'auditor')
    expect(await chart.locator('polyline').count()).toBe(2)
    expect(await chart.locator('circle').count()).toBe(2 * months.length)
    expect(await chart.getAttribute('aria-label')).toMatch(/of the demand was between P10 and P90/)
    await page.getByText('Recalculated for the past').first().waitFor()
    const classes = page.locator('[id*="byClass"] tbody .sapMListTblRow')
    await until(async () => (await classes.count()) === 1, 20)
    expect(await classes.innerText()).toMatch(/Smooth/)
    expect(await page.getByText('No window of 28 days').count()).toBe(0)
    expect(errors()).toEqual([])
    await close()
  })

  it('says so where no window has ended yet', async () => {
    const { page, errors, close } = await open('ForecastQuality(1)')
    await page.getByText('No window of 28 days has ended yet').waitFor()
    const byClass = page.getByText('By demand class').locator('visible=true')
    await until(async () => (await byClass.count()) === 0, 20)
    expect(errors()).toEqual([])
    await close()
  })
})

withUi5('every page', () => {
  const AREAS = [
    ...['', 'Sources', 'Sources(1)', 'SourceTypes', 'Syncs', 'Syncs(1)', 'QuarantinedRows'],
    ...[
      'BlockedPairs',
      'Policies',
      'PlannedEvents',
      'HolidayCalendars',
      'ApiKeys',
      'Webhooks',
      'Approvers',
      "Approvers('buyer')",
      'UserLimits',
      'ForecastQuality',
      'ForecastQuality(1)',
      'ForecastQuality(2)',
      'AuditLog',
    ],
  ]

  it.each(AREAS)('%s shows without an error or a serious barrier', async (area) => {
    const { page, errors, close } = await open(area)
    await page.waitForLoadState('networkidle')
    let issues: string[] = []
    await until(async () => !(issues = await seriousIssues(page)).length, 45).catch(() => {})
    expect(issues).toEqual([])
    expect(errors()).toEqual([])
    await close()
  })

  it('speaks German', async () => {
    const { page, close } = await open('Sources', { locale: 'de-DE' })
    for (const word of ['ERP-Verbindungen', 'Verbunden', 'ERP anbinden']) {
      await page.getByText(word).first().waitFor()
    }
    await close()
  })
})
