/* eslint-disable no-console */
// `npm run test:tryton`: Restock beside a real Tryton. It installs nothing; what is missing it names.
import { spawnSync } from 'node:child_process'
import { accessSync } from 'node:fs'
import { become } from '../../srv/base/start/become.ts'

const PACKAGES = [
  ...['tryton-server', 'tryton-proteus', 'tryton-modules-company', 'tryton-modules-purchase'],
  ...['tryton-modules-sale', 'tryton-modules-sale-supply', 'tryton-modules-stock-supply'],
  ...['tryton-modules-product-kit', 'tryton-modules-production'],
]
/** Debian's own, which knows the packages; another one may stand first in the path. */
const PYTHON = process.env.PYTHON_TRYTON ?? '/usr/bin/python3'
const MODULES = [
  ...['purchase', 'sale', 'sale_supply', 'stock_supply', 'company', 'product_kit', 'production'],
].map((name) => `trytond.modules.${name}`)

const missing = findMissing()
if (missing) {
  console.error(`${missing}
This test needs Tryton 6.0 as Debian 12 has it:
  apt-get install --no-install-recommends ${PACKAGES.join(' ')}`)
  process.exit(2)
}
become('scripts/run.ts', ['jest', '--selectProjects', 'tryton', ...process.argv.slice(2)], {
  PYTHON_TRYTON: PYTHON,
})

function findMissing(): string | null {
  for (const program of ['/usr/bin/trytond', '/usr/bin/trytond-admin', PYTHON]) {
    try {
      accessSync(program)
    } catch {
      return `${program} is not there.`
    }
  }
  const script = `import proteus, trytond, importlib.util as u
assert trytond.__version__.startswith('6.0'), 'This is Tryton ' + trytond.__version__
for name in ${JSON.stringify(MODULES)}: assert u.find_spec(name), name + ' is not there.'`
  const { status, stderr } = spawnSync(PYTHON, ['-c', script], { encoding: 'utf8' })
  return status === 0 ? null : (stderr.trim().split('\n').at(-1) ?? 'Python does not start.')
}
