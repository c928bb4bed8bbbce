// The administrators' app, area by area.
import { rows } from '../../../test/ui/app.ts'
import { askedFor, fill, openTab, press } from '../act.ts'
import { openArea } from '../jobs/admin.ts'
import { DELETE, type Scene, select, shown, takeDialog, takeQuestion } from '../scene.ts'

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

export const ADMINS_PAGES: Scene[] = [
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
      await press(page, DELETE)
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
        await openTab(page, words(view!))
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
