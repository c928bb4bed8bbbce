import { variables } from '../../srv/base/settings/config.ts'
import { ENVIRONMENT, isSecret } from '../../srv/base/settings/settings.ts'

/** All variables of the environment that set something. */
export const SETTING_NAMES = [...variables.keys(), ...Object.keys(ENVIRONMENT.shape)]

/** Those whose value is never shown. */
export const SECRET_NAMES = Object.entries(ENVIRONMENT.shape)
  .filter(([, schema]) => isSecret(schema))
  .map(([name]) => name)

/** Names of settings that stand in a text, but for the part that only begins one. */
export const settingsNamedIn = (text: string) => [
  ...new Set([...text.matchAll(/\bRESTOCK_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g)].map(([name]) => name)),
]
