// No text that anybody sends takes a regular expression more than time in proportion to its length.
import { SECRETS } from '../../srv/base/log/output.ts'
import { slowText } from './attack.ts'
import { collectPatterns } from './collect.ts'

const FOLDERS = ['adapters', 'bin', 'cli', 'client', 'engine', 'holidays', 'srv', 'tables']

const ID = '[0-9a-fA-F-]{36}'
const GRANTED = /(?:`(?:[^`]|``)+`|'(?:[^']|'')+'|[\w-]+)/.source

/** What is put together at run time, by file: how many there are, and what they become. */
const MADE: Record<string, { count: number; examples: RegExp[] }> = {
  'adapters/business-central/system.ts': {
    count: 4,
    examples: [new RegExp(`/api/v2.0/companies(\\(${ID}\\)/(items|vendors))?`)],
  },
  'adapters/business-one/system.ts': { count: 1, examples: [/\/b1s\/v2\/(Items|Orders)/] },
  'adapters/http/address.ts': { count: 1, examples: [/^(?:\/sap\/opu\/\w+)$/] },
  'adapters/odata/reader.ts': { count: 1, examples: [/\/sap\/opu\/odata\/sap\/API\/\w+/] },
  'adapters/sql/dialects/mariadb-rights.ts': {
    count: 1,
    examples: [new RegExp(`^GRANT (${GRANTED}(?:@${GRANTED})?) TO `)],
  },
  'srv/domain/audit/redact.ts': {
    count: 1,
    examples: [/(?<![\p{L}\p{N}_@.-])a\.b(?!\.?[\p{L}\p{N}_@-])/gu],
  },
  'srv/base/odata/odata-paths.ts': { count: 1, examples: [/\b(constructor|__proto__|toString)\b/] },
  'srv/base/log/output.ts': { count: 4, examples: SECRETS },
  'srv/doors/v1/http/field-map.ts': { count: 1, examples: [/^src_([1-9]\d{0,9})$/] },
  'tables/dates.ts': {
    count: 1,
    examples: [/^\d{4}(?:[T ,]\s*\d\d?:\d\d?\s*(?:[AaPp]\.?[Mm]\.?)?\s*(?:Z|UTC)?)?$/],
  },
}

const found = collectPatterns(FOLDERS)
const literals = new Map(
  found.flatMap(({ file, text, pattern }) => (pattern ? [[text, { file, pattern }]] : [])),
)

it('the patterns are found', () => {
  expect(literals.size).toBeGreaterThan(200)
  const made = found.filter(({ pattern }) => !pattern).map(({ file }) => file)
  const counts = Object.fromEntries(
    [...new Set(made)].map((file) => [file, made.filter((each) => each === file).length]),
  )
  expect(counts).toEqual(
    Object.fromEntries(Object.entries(MADE).map(([f, { count }]) => [f, count])),
  )
})

it('64 kB of any character or pair take each less than 20 ms', () => {
  const made = Object.entries(MADE).flatMap(([file, { examples }]) =>
    examples.map((pattern) => ({ file, pattern })),
  )
  const slow = [...literals.values(), ...made].flatMap(({ file, pattern }) => {
    const text = slowText(pattern)
    return text ? [`${file}: ${pattern} on ${text}`] : []
  })
  expect(slow).toEqual([])
})

it.each([/(a+)+$/, /\s+$/, /\b[a-z][a-z\d+.-]*:\/\//, /\b(eyJ)[\w-]{5,}\.[\w-]+/g, /^(\d+)*x$/])(
  'a pattern such as %s is found to be slow',
  (pattern) => expect(slowText(pattern)).not.toBeNull(),
)
