// Every screen of both apps on a desktop, at 200 % zoom and on a phone: no serious barrier, and lists begin with their lines.
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import { hasUi5, openWindow, rows, seriousIssues } from './app.ts'
import { Demo } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip

const DESKTOP = { width: 1500, height: 900 }
/** What is left of 1280 by 800 pixels. */
const ZOOMED = { width: 640, height: 400 }
const PHONE = { width: 390, height: 844 }

/** One of each kind of table. */
const VIEWS = ['open', 'supplier', 'approved', 'exceptions', 'blocked', 'overrides', 'keys']
const BUYER = [
  ...VIEWS.map((view) => `buyer/index.html?view=${view}`),
  ...[
    '#/Home',
    '#/Simulation',
    '#/Suppliers?supplier=S-01',
    '#/Scorecard?source=1&supplier=S-01',
    '#/Proposals(1)',
  ].map((hash) => `buyer/index.html${hash}`),
]
const ADMIN = [
  ...['', 'Sources', 'Sources(1)', 'SourceTypes', 'Syncs', 'Syncs(1)', 'QuarantinedRows'],
  ...['BlockedPairs', 'Policies', 'PlannedEvents', 'HolidayCalendars', 'ApiKeys', 'Webhooks'],
  ...['Approvers', "Approvers('buyer')", 'UserLimits', 'ForecastQuality', 'ForecastQuality(1)'],
  'AuditLog',
].map((area) => `admin/index.html#/${area}`)

let demo: Demo
let browser: Browser

const userOf = (screen: string) =>
  screen.startsWith('admin') || screen.includes('Simulation') ? 'admin' : 'approver'

/** Lines that stand whole or in part where they can be seen, without scrolling. */
const linesInSight = async (page: Page) => {
  const { height } = page.viewportSize()!
  const boxes = await Promise.all((await rows(page).all()).map((row) => row.boundingBox()))
  return boxes.filter((box) => box && box.y >= 0 && box.y + Math.min(box.height, 32) <= height)
    .length
}

const isList = (screen: string) => /\?view=|Suppliers|#\/[A-Z]\w+s$/.test(screen)

async function lookAt(page: Page) {
  let issues: string[] = []
  await until(async () => !(issues = await seriousIssues(page)).length, 30).catch(() => {})
  return issues
}

withUi5('every screen', () => {
  beforeAll(async () => {
    demo = await Demo.start()
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  const open = async (screen: string, size: typeof PHONE) => {
    const look = await openWindow(browser, { user: userOf(screen), phone: size === PHONE })
    await look.page.setViewportSize(size)
    await look.page.goto(`${demo.service.url}/apps/${screen}`)
    await look.page.locator('main [data-sap-ui]:visible').first().waitFor()
    await look.page.waitForLoadState('networkidle')
    return look
  }

  it.each([...BUYER, ...ADMIN])('%s can be used at 200 %% zoom', async (screen) => {
    const { page, close } = await open(screen, ZOOMED)
    expect(await lookAt(page)).toEqual([])
    if (isList(screen) && (await rows(page).count())) {
      await until(async () => (await linesInSight(page)) > 0, 10).catch(() => {})
      expect(await linesInSight(page)).toBeGreaterThan(0)
    }
    await close()
  })

  const sizes = [
    { where: 'on a desktop', size: DESKTOP },
    { where: 'on a phone', size: PHONE },
  ]
  const screens = [...BUYER, ...ADMIN].flatMap((screen) =>
    sizes.map((each) => ({ screen, ...each })),
  )
  it.each(screens)('$screen can be used $where', async ({ screen, size }) => {
    const { page, close } = await open(screen, size)
    expect(await lookAt(page)).toEqual([])
    await close()
  })
})
