// Five jobs of a buyer.
import { openList, openProposal, rows } from '../../../test/ui/app.ts'
import { until } from '../../../test/support/service.ts'
import { type Act, askedFor, dayAhead, fill, type Job, openSection, press } from '../act.ts'

/** The supplier with the fewest lines that are due, but several. */
async function supplierWithDueLines({ stage }: Act): Promise<string> {
  const due = await stage.demo.read('$filter=isDueToday eq true and supplier ne null&$top=5000')
  const lines = new Map<string, number>()
  for (const { supplier } of due) lines.set(supplier, (lines.get(supplier) ?? 0) + 1)
  const few = [...lines].sort(([, one], [, other]) => one - other)
  return few.find(([, count]) => count >= 5)![0]
}

const decideSupplier: Job = {
  name: 'supplier',
  app: 'buyer',
  looks: { en: {}, de: { dark: true } },
  frames: 3,
  async play(act) {
    const { page, stage, words, shot } = act
    const supplier = await supplierWithDueLines(act)
    await openList(stage.demo.service, page, 'due')
    const filter = page.locator('[id$="FilterField::supplier-inner-inner"]')
    await filter.fill(supplier)
    await filter.press('Tab')
    await page.locator('[id$="FilterField::supplier-inner"] .sapMToken').waitFor()
    const answered = page.waitForResponse(
      (answer) => answer.request().postData()?.includes(supplier) ?? false,
    )
    await page.locator('[id$="-btnSearch"]:visible').click()
    await answered
    await until(async () => (await rows(page).count()) > 0, 20)
    for (const nth of [0, 1, 2, 3, 4]) await rows(page).nth(nth).getByRole('checkbox').click()
    await shot()
    await press(page, words('approve'))
    const asking = await askedFor(page)
    await shot()
    await press(page, words('approve'), asking)
    await asking.waitFor({ state: 'hidden' })
    await page
      .getByText(/EUR\.$/)
      .first()
      .waitFor()
    await shot()
  },
}

const understandQuantity: Job = {
  name: 'quantity',
  app: 'buyer',
  looks: { en: { dark: true }, de: { phone: true } },
  frames: 4,
  async play({ page, stage, words, shot }) {
    const { ID } = await stage.demo.take("urgency eq 'stockout_before_arrival' and lotSize gt 1")
    await openProposal(stage.demo.service, page, ID)
    await shot()
    for (const section of ['outlook', 'bridge', 'risk']) {
      await openSection(page, words(section))
      if (section === 'risk') await page.getByText(words('riskProposed')).first().waitFor()
      await shot()
    }
  },
}

const changeQuantity: Job = {
  name: 'change',
  app: 'buyer',
  looks: { en: { phone: true }, de: {} },
  frames: 3,
  async play({ page, stage, words, shot, locale }) {
    const { ID, quantity, lotSize } = await stage.demo.take("urgency eq 'due' and lotSize gt 5")
    await openProposal(stage.demo.service, page, ID)
    await press(page, words('approve'))
    const asking = await askedFor(page)
    const comment = {
      en: 'Fair in week 49, agreed with sales',
      de: 'Messe in KW 49, mit Vertrieb abgestimmt',
    }
    await fill(page, words('quantity'), String(Number(quantity) + 1))
    await fill(page, words('comment'), comment[locale])
    await press(page, words('approve'), asking)
    // What is wrong stands at the field, or in a message of its own.
    const refusal = page.getByRole('alertdialog')
    await asking.locator('.sapMInputBaseContentWrapperError').or(refusal).first().waitFor()
    if (await refusal.isVisible()) await refusal.getByRole('button').first().click()
    await until(async () => {
      await asking.getByLabel(words('quantity')).first().blur()
      await asking.getByLabel(words('quantity')).first().focus()
      await page.locator('[id$="quantity-inner-message-text"]').waitFor({ timeout: 2_000 })
      return true
    }, 20)
    await shot()
    await fill(page, words('quantity'), String(Number(quantity) + lotSize))
    await shot()
    await press(page, words('approve'), asking)
    await asking.waitFor({ state: 'hidden' })
    await until(async () => (await stage.demo.statusOf(ID)) !== 'pending', 20)
    await openProposal(stage.demo.service, page, ID)
    await openSection(page, words('trail'))
    await page.getByText(comment[locale]).first().waitFor()
    await shot()
  },
}

const settleException: Job = {
  name: 'exception',
  app: 'buyer',
  looks: { en: {}, de: { dark: true, phone: true } },
  frames: 3,
  async play({ page, stage, words, shot, locale }) {
    await openList(stage.demo.service, page, 'exceptions')
    await rows(page).first().getByRole('checkbox').click()
    await shot()
    await press(page, words('settle'))
    const asking = await askedFor(page)
    await asking
      .getByRole('textbox')
      .fill(
        locale === 'de' ? 'Kommt laut Lieferant am Montag' : 'Arrives on Monday, says the supplier',
      )
    await shot()
    await press(page, words('settle'), asking)
    await asking.waitFor({ state: 'hidden' })
    await shot()
  },
}

const overrideForecast: Job = {
  name: 'override',
  app: 'buyer',
  looks: { en: { dark: true, phone: true }, de: {} },
  frames: 4,
  async play({ page, stage, words, shot, locale }) {
    const { ID } = await stage.demo.take("urgency eq 'due' and p50 gt 20")
    await openProposal(stage.demo.service, page, ID)
    await press(page, words('adjustForecast'))
    const asking = await askedFor(page)
    await fill(page, words('adjustPercent'), '50')
    await fill(page, words('lastDay'), dayAhead(45, locale))
    await fill(page, words('reason'), locale === 'de' ? 'Messe' : 'Trade fair')
    await shot()
    await press(page, words('adjustForecast'), asking)
    await asking.waitFor({ state: 'hidden' })
    await until(async () => {
      const [row] = await stage.demo.read(`$filter=ID eq ${ID}&$select=forecastAdjusted`)
      return Boolean(row?.forecastAdjusted)
    }, 60)
    await openProposal(stage.demo.service, page, ID)
    await shot()
    await openSection(page, words('outlook'))
    await shot()
    await openList(stage.demo.service, page, 'overrides')
    await shot()
  },
}

export const BUYERS_JOBS = [
  decideSupplier,
  understandQuantity,
  changeQuantity,
  settleException,
  overrideForecast,
]
