import cds from '@sap/cds'
import { settings } from '../../srv/base/settings/config.ts'
import type { SettingsInput } from '../../srv/base/settings/settings.ts'

/** Changes settings at run time; they are validated and completed like at start. */
export function changeSettings(change: SettingsInput) {
  cds.env.restock = { ...settings(), ...change }
}
