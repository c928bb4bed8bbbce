// The buyers' app, page by page, with the dialogs that are asked for most.
import { openList, openProposal } from '../../../test/ui/app.ts'
import { openSection, press } from '../act.ts'
import { leave, type Scene, select, shown, takeDialog, takeQuestion } from '../scene.ts'

export const PRESSING = "urgency eq 'stockout_before_arrival' and lotSize gt 1"

export const BUYERS_PAGES: Scene[] = [
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
      const folded = page.locator('[id$="expandBtn"]:visible')
      if (await folded.count()) await folded.click()
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
