import cds from '@sap/cds'
import { settings, type SettingsInput } from '../../srv/config.ts'

/** Changes settings at run time; what replaces them is checked and completed as at start. */
export function changeSettings(change: SettingsInput) {
  cds.env.restock = { ...settings(), ...change }
}
