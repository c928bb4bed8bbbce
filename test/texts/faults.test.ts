// What adapters say of a row, in German.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { emptyValue } from '../../adapters/rows/values.ts'
import { writtenFault } from '../../srv/base/texts/written.ts'
import { faultOfDate } from '../../tables/dates.ts'
import { faultOfNumber } from '../../tables/numbers.ts'
import { TOTAL_ROW } from '../../tables/row-problems.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

it.each([
  [emptyValue('sku').message, 'sku ist leer.'],
  ['date "yesterday" must be a calendar day as YYYY-MM-DD.', /^date "yesterday" muss ein Kal/],
  [`quantity "four" ${faultOfNumber()}.`, /^quantity "four" ist keine Zahl: /],
  [`date "31.02.2026" ${faultOfDate('31.02.2026')}.`, /"31.02.2026" ist kein Tag des Kalenders/],
  ['lead_time_days must be at most 3650 days.', 'lead_time_days darf höchstens 3650 Tage sein.'],
  ['last_day must not lie before first_day.', 'last_day darf nicht vor first_day liegen.'],
  [TOTAL_ROW.message, /^Die Zeile scheint eine Summe/],
  ['Something else is wrong.', 'Something else is wrong.'],
])('says of %s', (sentence, german) => {
  expect(writtenFault(sentence, 'de')).toMatch(german)
  expect(writtenFault(sentence, 'en')).toBe(sentence)
})

it('knows no form that nothing says', () => {
  const code = globSync(['adapters/**/*.ts', 'tables/**/*.ts'], { cwd: root }).map(read).join('\n')
  const texts = (JSON.parse(read('_i18n/messages.json')) as Record<string, object>)['']!
  const forms = Object.entries(texts).filter(([key]) => key.startsWith('fault_'))
  expect(forms.length).toBeGreaterThan(30)
  // `columns` is one of its two numbers.
  const said = (part: string) => code.includes(part.trim().replace(/\.$|^columns/, ''))
  for (const [key, text] of forms) {
    const parts = String(text).split(/\{\w+\}/)
    expect([key, ...parts.filter((part) => !said(part))]).toEqual([key])
  }
})
