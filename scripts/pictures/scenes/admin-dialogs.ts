// The administrators' dialogs that need something to be there first, and the pages of a rule, a webhook and a user.
import { rows } from '../../../test/ui/app.ts'
import { openTab, press } from '../act.ts'
import { openArea } from '../jobs/admin.ts'
import {
  DELETE,
  type Scene,
  type SceneAct,
  select,
  shown,
  takeDialog,
  takeQuestion,
} from '../scene.ts'

async function openRow({ page }: SceneAct, text: string) {
  await page.locator('tbody').getByText(text).locator('visible=true').first().click()
  await page.locator('.sapUxAPObjectPageLayout:visible').waitFor()
}

export const ADMINS_DIALOGS: Scene[] = [
  {
    name: 'wizard-steps',
    app: 'admin',
    async play(act) {
      const { page, words, shot } = act
      await openArea(act, 'SourceTypes')
      await page.getByText(words('kindText')).waitFor()
      await page.getByText(words('further')).first().click()
      await shot('admin-wizard-further')
      const [account] = await page.locator('[id$="--main"] input:visible').all()
      await account!.fill('http://localhost:9')
      for (const input of (await page.locator('[id$="--main"] input:visible').all()).slice(1)) {
        await input.fill('Z_RESTOCK_READ')
      }
      await press(page, words('testConnection'))
      await page.locator('.sapMInputBaseContentWrapperError:visible').waitFor()
      await shot('admin-wizard-refused')
    },
  },
  {
    name: 'source-actions',
    app: 'admin',
    async play(act) {
      await openArea(act, 'Sources(2)')
      await act.shot('admin-source')
    },
  },
  {
    name: 'rule',
    app: 'admin',
    async play(act) {
      const { page, words } = act
      await act.stage.setRule()
      await openArea(act, 'Policies')
      await openRow(act, 'S-04')
      await act.shot('admin-rule')
      await takeDialog(act, words('changeRule'), 'admin-change-rule')
      await takeQuestion(act, DELETE, 'admin-delete-rule')
      await page.goBack()
    },
  },
  {
    name: 'entered',
    app: 'admin',
    async play(act) {
      const { page } = act
      await act.stage.plan()
      await openArea(act, 'PlannedEvents')
      await rows(page).first().waitFor()
      await select(page)
      await takeQuestion(act, DELETE, 'admin-delete-event')
    },
  },
  {
    name: 'webhook',
    app: 'admin',
    async play(act) {
      const { page, words, shot } = act
      await act.stage.addWebhook()
      await openArea(act, 'Webhooks')
      await rows(page).first().getByText('hooks.example.com').first().click()
      await page.getByRole('button', { name: words('rotateSecret') }).waitFor()
      await shot('admin-webhook')
      await takeQuestion(act, DELETE, 'admin-delete-webhook')
    },
  },
  {
    name: 'replaced-key',
    app: 'admin',
    async play(act) {
      const { page, words, shot } = act
      await act.stage.issueDecidingKey()
      await openArea(act, 'ApiKeys')
      await rows(page).first().waitFor()
      await select(page)
      await press(page, words('rotateKey'))
      await page.getByText(words('onceText')).waitFor()
      await shot('admin-replaced', shown(page))
    },
  },
  {
    name: 'user',
    app: 'admin',
    async play(act) {
      const { page, words, shot } = act
      await act.stage.giveLimit()
      await act.stage.delegate()
      await openArea(act, 'Approvers')
      await openRow(act, 'approver')
      await shot('admin-user')
      await takeDialog(act, words('setLimit'), 'admin-own-limit')
      await takeQuestion(act, words('clearLimit'), 'admin-clear-limit')
      await takeDialog(act, words('addDeputy'), 'admin-add-deputy')
      await takeQuestion(act, words('removePerson'), 'admin-remove-person')
      await openArea(act, 'UserLimits')
      await openTab(page, words('delegations'))
      await select(page)
      await takeQuestion(act, words('endDelegation'), 'admin-end-delegation')
    },
  },
]
