// What else the buyers' app has: Today, a supplier's order, simulation, and their dialogs.
import type { Page } from 'playwright-core'
import { openList, openProposal, rows } from '../../../test/ui/app.ts'
import { openSection, press } from '../act.ts'
import { leave, type Scene, type SceneAct, select, shown } from '../scene.ts'
import { PRESSING } from './buyer.ts'

export async function openPage({ page, stage }: SceneAct, hash: string) {
  await page.goto('about:blank')
  await page.goto(`${stage.demo.service.url}/apps/buyer/index.html#/${hash}`)
}

export async function openToday(act: SceneAct) {
  await openPage(act, 'Home')
  await act.page.locator('.restockTile').first().waitFor()
}

export async function openOrder(act: SceneAct, supplier: string) {
  await openPage(act, `Suppliers?supplier=${supplier}`)
  await rows(act.page).first().waitFor()
}

/** A dialog that is there at once and asks for nothing that must be waited for. */
export async function takeShown({ page, shot }: SceneAct, opener: string, name: string) {
  await press(page, opener)
  await shown(page).waitFor()
  await shot(name, shown(page))
}

const selectThree = async (page: Page) => {
  for (const at of [0, 1, 2]) await select(page, at)
}

export const BUYERS_DIALOGS: Scene[] = [
  {
    name: 'today',
    app: 'buyer',
    async play(act) {
      await openToday(act)
      await act.shot('buyer-today')
    },
  },
  {
    name: 'quantities',
    app: 'buyer',
    async play(act) {
      const { page, stage, words, shot } = act
      await openList(stage.demo.service, page)
      await selectThree(page)
      await takeShown(act, words('bulk'), 'buyer-bulk')
      await leave(page)
      await takeShown(act, words('listKeys'), 'buyer-list-keys')
      await leave(page)
      await press(page, words('approve'))
      await press(page, words('many-approve-do'), shown(page))
      await page.getByRole('button', { name: words('heldUndo') }).waitFor()
      await shot('buyer-held')
      await press(page, words('heldUndo'))
    },
  },
  {
    name: 'order',
    app: 'buyer',
    async play(act) {
      const { words, shot } = act
      await openOrder(act, 'S-02')
      await shot('buyer-order')
      await takeShown(act, words('orderKeys'), 'buyer-order-keys')
      await leave(act.page)
      await act.page.keyboard.press('Control+Enter')
      await shown(act.page).waitFor()
      await shot('buyer-order-decide', shown(act.page))
      await leave(act.page)
    },
  },
  {
    name: 'mail',
    app: 'buyer',
    async play(act) {
      const { page, stage, words, shot } = act
      await openList(stage.demo.service, page, 'exceptions')
      await selectThree(page)
      await press(page, words('mail'))
      await page
        .getByRole('button', { name: words('mailOpen') })
        .first()
        .waitFor()
      await shot('buyer-mail', shown(page))
    },
  },
  {
    name: 'what-if',
    app: 'buyer',
    async play(act) {
      const { page, stage, words, shot } = act
      const { ID } = await stage.demo.take(PRESSING)
      await openProposal(stage.demo.service, page, ID)
      await press(page, words('whatIf'))
      await shown(page).getByLabel(words('whatIfDemand')).fill('30')
      await page.keyboard.press('Tab')
      await page.waitForTimeout(1500)
      await shot('buyer-what-if-dialog', shown(page))
      await leave(page)
      for (const [section, picture] of [
        ['movements', 'buyer-time-line'],
        ['rulesTitle', 'buyer-applied-rules'],
      ]) {
        await openSection(page, words(section!))
        await shot(picture!)
      }
    },
  },
  {
    name: 'simulation',
    app: 'buyer',
    look: { user: 'approver' },
    async play(act) {
      await openPage(act, 'Simulation')
      await act.page.locator('.restockTile').first().waitFor()
      await act.shot('buyer-simulation')
    },
  },
  {
    name: 'revoke-own-key',
    app: 'buyer',
    async play(act) {
      const { page, stage, words } = act
      await stage.issueDecidingKey()
      await openList(stage.demo.service, page, 'keys')
      await select(page)
      await takeShown(act, words('revoke'), 'buyer-revoke-key')
      await leave(page)
    },
  },
]
