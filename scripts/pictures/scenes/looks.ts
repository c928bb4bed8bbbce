// The main pages in German, in the dark and on a phone.
import { openArea } from '../jobs/admin.ts'
import type { Scene, SceneAct } from '../scene.ts'
import { openOrder, openPage, openToday } from './buyer-dialogs.ts'

const GERMAN = { locale: 'de-DE' }

const buyers = (
  name: string,
  look: Scene['look'],
  open: (act: SceneAct) => Promise<unknown>,
): Scene => ({
  name,
  app: 'buyer',
  look,
  async play(act) {
    await open(act)
    await act.shot(`buyer-${name}`)
  },
})

const admins = (name: string, look: Scene['look'], place = ''): Scene => ({
  name: `admin-${name}`,
  app: 'admin',
  look,
  async play(act) {
    await openArea(act, place)
    await act.shot(`admin-${name}`)
  },
})

async function openSimulation(act: SceneAct) {
  await openPage(act, 'Simulation')
  await act.page.locator('.restockTile').first().waitFor()
}

export const LOOKS = [
  buyers('today-german', GERMAN, openToday),
  buyers('today-dark', { dark: true }, openToday),
  buyers('today-phone', { phone: true }, openToday),
  buyers('order-dark', { dark: true }, (act) => openOrder(act, 'S-02')),
  buyers('order-phone', { ...GERMAN, phone: true }, (act) => openOrder(act, 'S-02')),
  buyers('simulation-german', { ...GERMAN, user: 'approver' }, openSimulation),
  admins('overview-german', GERMAN),
  admins('overview-dark', { dark: true }),
  admins('overview-phone', { phone: true }),
  admins('wizard-german', GERMAN, 'SourceTypes'),
]
