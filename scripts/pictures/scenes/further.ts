// The pages and dialogs that no guide shows.
import { openList, openProposal, rows } from '../../../test/ui/app.ts'
import { askedFor, press } from '../act.ts'
import { openArea } from '../jobs/admin.ts'
import { leave, type Scene, type SceneAct, select, takeDialog } from '../scene.ts'
import { openOrder, openPage, takeShown } from './buyer-dialogs.ts'

const VIEWS = [
  ...['due', 'thought', 'routine', 'mine', 'team', 'forme', 'items', 'out', 'stockout', 'value'],
  ...['second', 'snoozed', 'rejected', 'all'],
]

const view = (name: string): Scene => ({
  name: `view-${name}`,
  app: 'buyer',
  async play({ page, stage, shot }) {
    await openList(stage.demo.service, page, name)
    await shot(`buyer-view-${name}`)
  },
})

/** A page of the buyers' app, seen by an administrator, who may see all of them. */
const place = (name: string, hash: string, user = 'admin'): Scene => ({
  name,
  app: 'buyer',
  look: { user },
  async play(act) {
    await openPage(act, hash)
    await act.page.locator('main [data-sap-ui]:visible').first().waitFor()
    await act.shot(`buyer-${name}`)
  },
})

async function takeAndLeave(act: SceneAct, opener: string, name: string) {
  await takeShown(act, opener, name)
  await leave(act.page)
}

export const FURTHER_PAGES: Scene[] = [
  ...VIEWS.map(view),
  place('costs', 'Costs'),
  place('months', 'ValueMonths'),
  place('scorecard', 'Scorecard?source=1&supplier=S-01'),
  place('not-found', 'Nowhere'),
  place('no-proposal', 'Proposals(999999)'),
  place('today-approver', 'Home', 'approver'),
  {
    name: 'item',
    app: 'buyer',
    async play(act) {
      await openList(act.stage.demo.service, act.page, 'items')
      await rows(act.page).first().locator('td').nth(2).click()
      await act.page.locator('.sapUxAPObjectPageLayout:visible').waitFor()
      await act.shot('buyer-item')
    },
  },
  {
    name: 'small',
    app: 'buyer',
    async play(act) {
      await openList(act.stage.demo.service, act.page, 'small')
      await act.shot('buyer-small')
      await select(act.page)
      for (const key of ['approve', 'reject', 'snooze']) {
        await takeAndLeave(act, act.words(key), `buyer-small-${key}`)
      }
    },
  },
  {
    name: 'hand-over',
    app: 'buyer',
    async play(act) {
      const { page, stage, words, shot } = act
      const { ID } = await stage.demo.take("urgency eq 'due' and value lt 400")
      await stage.approve(ID)
      await openList(stage.demo.service, page, 'approved')
      await shot('buyer-approved')
      await select(page)
      await takeAndLeave(act, words('handOver'), 'buyer-hand-over')
    },
  },
  {
    name: 'read-back',
    app: 'buyer',
    async play(act) {
      await openList(act.stage.demo.service, act.page)
      await takeAndLeave(act, act.words('readBack'), 'buyer-read-back')
    },
  },
  {
    name: 'say',
    app: 'buyer',
    async play(act) {
      const { page, stage, words } = act
      const { ID } = await stage.demo.take("urgency eq 'due'")
      await openProposal(stage.demo.service, page, ID)
      for (const key of ['commentOn', 'reject', 'snooze']) {
        await takeDialog(act, words(key), `buyer-one-${key}`)
      }
    },
  },
  {
    name: 'over-limit',
    app: 'buyer',
    async play(act) {
      const { page, stage, words, shot } = act
      const filter = "status eq 'pending' and value gt 10000 and supplier ne null"
      const [over] = await stage.demo.read(`$filter=${filter}&$top=1&$orderby=valueAtRisk desc`)
      await openOrder(act, over!.supplier)
      await press(page, words('orderPassOn'))
      await askedFor(page)
      await shot('buyer-order-pass-on')
    },
  },
  {
    name: 'nowhere',
    app: 'admin',
    async play(act) {
      await openArea(act, 'Nowhere')
      await act.shot('admin-not-found')
    },
  },
  {
    name: 'rejected-row',
    app: 'admin',
    async play(act) {
      await openArea(act, 'QuarantinedRows')
      await rows(act.page).first().locator('td').nth(2).click()
      await act.shot('admin-rejected-row')
    },
  },
]
