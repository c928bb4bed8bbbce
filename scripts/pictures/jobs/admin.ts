// Four jobs of an administrator.
import type { Page } from 'playwright-core'
import { CLIENT } from '../../../sandbox/index.ts'
import { rows } from '../../../test/ui/app.ts'
import { until } from '../../../test/support/service.ts'
import { type Act, askedFor, fill, type Job, openSection, press } from '../act.ts'

export async function openArea({ page, stage }: Pick<Act, 'page' | 'stage'>, area: string) {
  await page.goto('about:blank')
  await page.goto(`${stage.demo.service.url}/apps/admin/index.html#/${area}`)
  await page
    .locator('.sapMPage:visible, .sapFDynamicPage:visible, .sapUxAPObjectPageLayout:visible')
    .first()
    .waitFor()
  await page.waitForLoadState('networkidle')
}

/** Chooses a value of a drop-down list in a dialog; what is typed before its values are loaded is lost. */
async function choose(page: Page, label: string, value: string) {
  const asking = page.getByRole('dialog').last()
  const entry = asking.getByLabel(label).first()
  await until(async () => {
    await entry.fill(value)
    await entry.press('Tab')
    await asking.locator('.sapMToken').first().waitFor({ timeout: 5_000 })
    return true
  }, 60)
}

const connectErp: Job = {
  name: 'connect',
  app: 'admin',
  looks: { en: {}, de: { dark: true } },
  frames: 4,
  async play(act) {
    const { page, stage, words, shot } = act
    await openArea(act, 'Sources')
    await press(page, words('connect'))
    const entry = (label: RegExp) => page.getByLabel(label).first()
    await entry(/^(Address|Adresse) (of the|des) [Ss]ystem/).fill(stage.erp.url)
    await entry(/^(Display-only role|Anzeigerolle)/).fill('Z_RESTOCK_READ')
    await entry(/^Client.ID/).fill(CLIENT.id)
    await entry(/^Client.[Ss]ecret/).fill(CLIENT.secret)
    await press(page, words('testConnection'))
    await page.getByRole('button', { name: words('connectConsent') }).waitFor()
    await shot()
    const [consent] = await Promise.all([
      page.context().waitForEvent('page'),
      press(page, words('connectConsent')),
    ])
    const goOn = consent.locator('a[href*="authorize"], button, a').first()
    await goOn.waitFor()
    const allow = consent.getByRole('button', { name: 'Allow' })
    if (!(await allow.isVisible())) await goOn.click()
    await allow.click()
    await page.getByText(words('consentGiven')).waitFor()
    await press(page, words('testRead'))
    await page.locator('[id$="--streams"] tbody tr').nth(2).waitFor()
    await page.locator('[id$="--test"]').scrollIntoViewIfNeeded()
    await shot()
    await press(page, words('firstSync'))
    const heading = page.getByRole('heading', { name: /^sync_/ }).first()
    await heading.waitFor()
    await shot()
    await stage.syncEnded(await heading.innerText())
    await openArea(act, 'Sources')
    await rows(page).first().waitFor()
    await shot()
    await stage.disconnect()
  },
}

const setRule: Job = {
  name: 'rule',
  app: 'admin',
  looks: { en: { dark: true }, de: {} },
  frames: 4,
  async play(act) {
    const { page, words, shot } = act
    await openArea(act, 'BlockedPairs')
    await rows(page).first().waitFor()
    await shot()
    await rows(page).first().getByRole('checkbox').click()
    await press(page, words('setLeadTime'))
    const asking = await askedFor(page)
    await fill(page, words('leadTimeDays'), '14')
    await shot()
    await press(page, words('setLeadTime'), asking)
    await asking.waitFor({ state: 'hidden' })
    await openArea(act, 'Policies')
    await rows(page).first().waitFor()
    await shot()
    await press(page, words('newRule'))
    await askedFor(page)
    await shot()
  },
}

const seeProblem: Job = {
  name: 'problem',
  app: 'admin',
  looks: { en: { phone: true }, de: {} },
  frames: 4,
  async play(act) {
    const { page, words, shot } = act
    await openArea(act, '')
    await shot()
    await openArea(act, 'Syncs')
    await shot()
    await openArea(act, 'Syncs(2)')
    await openSection(page, words('issues'))
    await shot()
    await openArea(act, 'QuarantinedRows')
    await rows(page).first().waitFor()
    await shot()
  },
}

const giveAccess: Job = {
  name: 'access',
  app: 'admin',
  looks: { en: { dark: true, phone: true }, de: { phone: true } },
  frames: 4,
  async play(act) {
    const { page, words, shot, locale } = act
    await openArea(act, 'ApiKeys')
    await press(page, words('issueKey'))
    const asking = await askedFor(page)
    await fill(page, words('name'), locale === 'de' ? 'Lager' : 'Warehouse')
    await choose(page, words('scopes'), 'forecasts:read')
    await shot()
    await press(page, words('issueKey'), asking)
    await page.getByText(words('onceText')).waitFor()
    await shot()
    await press(page, words('close'), page.getByRole('dialog').last())
    await openArea(act, 'UserLimits')
    await shot()
    await press(page, words('setLimit'))
    await askedFor(page)
    await shot()
  },
}

export const ADMINS_JOBS = [connectErp, setRule, seeProblem, giveAccess]
