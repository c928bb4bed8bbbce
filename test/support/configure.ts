import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A temporary folder of this test file. */
export const temporaryFolder = mkdtempSync(path.join(os.tmpdir(), 'restock-test-'))

/** Configures CAP before it is loaded: this database, no demo, csv sources below the temporary folder. */
export function configure(db: object) {
  process.env.CDS_CONFIG = JSON.stringify({
    requires: { db },
    restock: {
      demo: false,
      audit: { anchorFile: path.join(temporaryFolder, 'audit.anchor') },
      // Whoever asks for an app would start a build of UI5.
      ui5: 'built',
      // Scheduled jobs would disturb a test that runs at the full hour.
      schedules: { full: 'off', incremental: 'off', housekeeping: 'off' },
    },
    log: { levels: { deploy: 'warn', cds: 'warn', serve: 'warn' } },
  })
  process.env.RESTOCK_CSV_ROOT = temporaryFolder
  // Files are whole when a test has written them.
  process.env.RESTOCK_CSV_SETTLE_SECONDS = '0'
}
