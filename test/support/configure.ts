import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A folder of this test file alone. */
export const temporaryFolder = mkdtempSync(path.join(os.tmpdir(), 'restock-test-'))

/** Configures CAP before it is loaded: this database, no demo, csv sources below the temporary folder. */
export function configure(db: object) {
  process.env.CDS_CONFIG = JSON.stringify({
    requires: { db },
    // Work by the clock would come between the lines of a test that runs at the full hour.
    restock: {
      demo: false,
      schedules: { full: 'off', incremental: 'off', housekeeping: 'off' },
    },
    log: { levels: { deploy: 'warn', cds: 'warn', serve: 'warn' } },
  })
  process.env.RESTOCK_CSV_ROOT = temporaryFolder
}
