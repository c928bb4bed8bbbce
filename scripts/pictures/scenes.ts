// Every page and dialog of both apps, for the guides. One scene is one window, and may take several pictures.
import type { Locator, Page } from 'playwright-core'
import { type Look, openList, openProposal, rows } from '../../test/ui/app.ts'
import { askedFor, fill, openSection, press } from './act.ts'
import { openArea } from './jobs/admin.ts'
import type { Stage } from './stage.ts'

export interface SceneAct {
  page: Page
  stage: Stage
  words(key: string): string
  /** @param part what of the page to take; the whole window without */
  shot(name: string, part?: Locator): Promise<void>
}

export interface Scene {
  name: string
  app: 'buyer' | 'admin'
  look?: Look
  play(act: SceneAct): Promise<void>
}

const shown = (page: Page) =>
  page.locator('[role=dialog]:visible, [role=alertdialog]:visible').last()

/** A dialog that a button opens: taken, then left. */
async function takeDialog({ page, shot }: SceneAct, opener: string, name: string) {
  await press(page, opener)
  await shot(name, await askedFor(page))
  await leave(page)
}

/** A question before something that cannot be taken back. */
async function takeQuestion({ page, shot }: SceneAct, opener: string, name: string) {
  await press(page, opener)
  await shown(page).waitFor()
  await shot(name, shown(page))
  await leave(page)
}

async function leave(page: Page) {
  await shown(page).getByRole('button').last().click()
  await shown(page).waitFor({ state: 'hidden' })
}

const select = (page: Page, at = 0) => {
  const row = rows(page).nth(at)
  return row.getByRole('checkbox').or(row.getByRole('radio')).first().click()
}

const PRESSING = "urgency eq 'stockout_before_arrival' and lotSize gt 1"

const BUYERS: Scene[] = [
  {
    name: 'start',
    app: 'buyer',
    async play({ page, stage, shot }) {
      await page.goto(stage.demo.service.url)
      await page.locator('.tiles .count').first().waitFor()
      await shot('start')
    },
  },
  {
    name: 'list',
    app: 'buyer',
    async play(act) {
      const { page, stage, words, shot } = act
      await openList(stage.demo.service, page)
      await shot('buyer-list')
      await select(page, 0)
      await select(page, 1)
      await select(page, 2)
      await takeDialog(act, words('approve'), 'buyer-approve-many')
      await takeDialog(act, words('reject'), 'buyer-reject')
      await takeDialog(act, words('snooze'), 'buyer-snooze')
      await page.locator('.sapMListTbl:visible thead .sapMCb').click()
      await press(page, words('approve'))
      await page.getByText(words('allTitle')).waitFor()
      await shot('buyer-all', shown(page))
      await leave(page)
      await page.locator('[id$="FilterField::location-inner-vhi"]').click()
      await shown(page).getByRole('row').nth(1).waitFor()
      await shot('buyer-value-help', shown(page))
    },
  },
  {
    name: 'list-dark',
    app: 'buyer',
    look: { dark: true },
    async play({ page, stage, shot }) {
      await openList(stage.demo.service, page)
      await shot('buyer-list-dark')
    },
  },
  {
    name: 'list-phone',
    app: 'buyer',
    look: { phone: true },
    async play({ page, stage, shot }) {
      await openList(stage.demo.service, page)
      await shot('buyer-phone')
    },
  },
  {
    name: 'supplier',
    app: 'buyer',
    async play({ page, stage, shot }) {
      await openList(stage.demo.service, page, 'supplier')
      await shot('buyer-by-supplier')
    },
  },
  {
    name: 'budget',
    app: 'buyer',
    async play({ page, stage, words, shot }) {
      await openList(stage.demo.service, page)
      await press(page, words('budget'))
      const filling = page.getByRole('dialog', { name: words('budgetTitle') })
      await filling.getByRole('combobox', { name: words('budgetSupplier') }).fill('S-03')
      await page.keyboard.press('Tab')
      await filling.getByLabel(words('budgetAmount'), { exact: true }).fill('20,000')
      await filling.locator('.sapMListTblRow').first().waitFor()
      await shot('buyer-budget')
    },
  },
  {
    name: 'exceptions',
    app: 'buyer',
    async play(act) {
      await openList(act.stage.demo.service, act.page, 'exceptions')
      await act.shot('buyer-exceptions')
      await select(act.page)
      await takeDialog(act, act.words('settle'), 'buyer-settle')
    },
  },
  {
    name: 'blocked',
    app: 'buyer',
    async play({ page, stage, shot }) {
      await openList(stage.demo.service, page, 'blocked')
      await shot('buyer-blocked')
    },
  },
  {
    name: 'proposal',
    app: 'buyer',
    async play(act) {
      const { page, stage, words, shot } = act
      const { ID } = await stage.demo.take(PRESSING)
      await openProposal(stage.demo.service, page, ID)
      await shot('buyer-proposal')
      await takeDialog(act, words('approve'), 'buyer-approve')
      await takeDialog(act, words('adjustForecast'), 'buyer-adjust')
      await openSection(page, words('outlook'))
      await shot('buyer-chart')
      await openSection(page, words('bridge'))
      await shot('buyer-bridge')
      await openSection(page, words('risk'))
      await page.getByText(words('riskProposed')).first().waitFor()
      await shot('buyer-what-if')
      await openSection(page, words('facts'))
      await shot('buyer-facts')
    },
  },
  {
    name: 'proposal-dark',
    app: 'buyer',
    look: { dark: true },
    async play({ page, stage, words, shot }) {
      const { ID } = await stage.demo.take(PRESSING)
      await openProposal(stage.demo.service, page, ID)
      await openSection(page, words('outlook'))
      await shot('buyer-chart-dark')
    },
  },
  {
    name: 'proposal-phone',
    app: 'buyer',
    look: { phone: true },
    async play({ page, stage, shot }) {
      const { ID } = await stage.demo.take(PRESSING)
      await openProposal(stage.demo.service, page, ID)
      await shot('buyer-proposal-phone')
    },
  },
  {
    name: 'approved',
    app: 'buyer',
    async play(act) {
      const { page, stage, words } = act
      const { ID } = await stage.demo.take("urgency eq 'due' and value lt 400")
      await stage.approve(ID)
      await openProposal(stage.demo.service, page, ID)
      await takeDialog(act, words('cancel'), 'buyer-cancel')
      await openSection(page, words('trail'))
      await act.shot('buyer-trail')
    },
  },
  {
    name: 'overrides',
    app: 'buyer',
    async play(act) {
      const { page, stage, words, shot } = act
      await stage.adjustForecast()
      await openList(stage.demo.service, page, 'overrides')
      await shot('buyer-overrides')
      await takeDialog(act, words('adjustForecast'), 'buyer-add-override')
      await select(page)
      await takeQuestion(act, words('adjustRemove'), 'buyer-remove-override')
    },
  },
  {
    name: 'own-keys',
    app: 'buyer',
    async play(act) {
      const { page, stage, words, shot } = act
      await stage.issueDecidingKey()
      await openList(stage.demo.service, page, 'keys')
      await shot('buyer-keys')
      await select(page)
      await takeQuestion(act, words('confirmKey'), 'buyer-confirm-key')
    },
  },
]

/** An area of the admin's app, and dialogs that its buttons open. */
const area = (
  name: string,
  place: string,
  pictures: string,
  dialogs: Record<string, string> = {},
  isRowNeeded = false,
): Scene => ({
  name,
  app: 'admin',
  async play(act) {
    await openArea(act, place)
    await act.shot(pictures)
    if (isRowNeeded) await select(act.page)
    for (const [key, picture] of Object.entries(dialogs)) {
      await takeDialog(act, act.words(key), picture)
    }
  },
})

const ADMINS: Scene[] = [
  area('overview', '', 'admin-overview'),
  area('sources', 'Sources', 'admin-sources'),
  {
    name: 'sources-phone',
    app: 'admin',
    look: { phone: true },
    async play(act) {
      await openArea(act, 'Sources')
      await act.shot('admin-phone')
    },
  },
  {
    name: 'wizard',
    app: 'admin',
    async play(act) {
      await openArea(act, 'Sources')
      await press(act.page, act.words('connect'))
      await act.page.getByText(act.words('kindText')).waitFor()
      await act.shot('admin-wizard')
    },
  },
  {
    name: 'source',
    app: 'admin',
    look: { dark: true },
    async play(act) {
      const { page, words, shot } = act
      await openArea(act, 'Sources(2)')
      await shot('admin-source-dark')
      await takeDialog(act, words('syncNow'), 'admin-sync-now')
      await takeDialog(act, words('setSchedules'), 'admin-schedules')
      await takeDialog(act, words('setPrecedence'), 'admin-precedence')
      await press(page, 'Delete')
      await shown(page).waitFor()
      await shot('admin-delete-source', shown(page))
    },
  },
  area('syncs', 'Syncs', 'admin-syncs'),
  area('sync', 'Syncs(2)', 'admin-sync'),
  area('rejected', 'QuarantinedRows', 'admin-rejected'),
  area('blocked-items', 'BlockedPairs', 'admin-blocked', { setLeadTime: 'admin-lead-time' }, true),
  area('rules', 'Policies', 'admin-rules', { newRule: 'admin-new-rule' }),
  area('calendar', 'PlannedEvents', 'admin-calendar', { newPlannedEvent: 'admin-new-event' }),
  area('holidays', 'HolidayCalendars', 'admin-holidays', {
    newHolidayCalendar: 'admin-set-country',
  }),
  {
    name: 'keys',
    app: 'admin',
    async play(act) {
      const { page, words, shot } = act
      await openArea(act, 'ApiKeys')
      await rows(page).first().waitFor()
      await shot('admin-keys')
      await takeDialog(act, words('issueKey'), 'admin-issue-key')
      await select(page)
      await takeQuestion(act, words('revoke'), 'admin-revoke-key')
    },
  },
  {
    name: 'webhooks',
    app: 'admin',
    async play(act) {
      const { page, words, shot } = act
      await openArea(act, 'Webhooks')
      await takeDialog(act, words('addWebhook'), 'admin-add-webhook')
      await press(page, words('addWebhook'))
      const asking = await askedFor(page)
      await fill(page, words('url'), 'https://hooks.example.com/restock')
      await press(page, words('addWebhook'), asking)
      await page.getByText(words('onceText')).waitFor()
      await shot('admin-once', shown(page))
      await press(page, words('close'), shown(page))
      await openArea(act, 'Webhooks')
      await rows(page).first().waitFor()
      await shot('admin-webhooks')
    },
  },
  {
    name: 'limits',
    app: 'admin',
    async play(act) {
      const { page, words, shot } = act
      await openArea(act, 'UserLimits')
      await shot('admin-limits')
      const dialogs = [
        ['userLimits', 'setLimit', 'admin-user-limit'],
        ['roleLimits', 'setLimit', 'admin-role-limit'],
        ['exchangeRates', 'setRate', 'admin-rate'],
        ['delegations', 'newDelegation', 'admin-delegation'],
      ]
      for (const [view, opener, picture] of dialogs) {
        await page.getByRole('tab', { name: words(view!) }).click()
        await takeDialog(act, words(opener!), picture!)
      }
      await openArea(act, 'Approvers')
      await rows(page).first().waitFor()
      await shot('admin-approvers')
    },
  },
  area('quality', 'ForecastQuality', 'admin-forecasts'),
  {
    name: 'quality-of-one',
    app: 'admin',
    async play(act) {
      await openArea(act, 'ForecastQuality(1)')
      await act.page.locator('.restockQuality svg').waitFor()
      await act.shot('admin-quality')
    },
  },
  {
    name: 'log',
    app: 'admin',
    async play(act) {
      const { page, words, shot } = act
      await openArea(act, 'AuditLog')
      await rows(page).first().waitFor()
      await shot('admin-log')
      await press(page, words('verifyAudit'))
      await shown(page).waitFor()
      await shot('admin-verify', shown(page))
    },
  },
]

export const SCENES = [...BUYERS, ...ADMINS]
