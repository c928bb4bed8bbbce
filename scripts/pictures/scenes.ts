import { ADMINS_PAGES } from './scenes/admin.ts'
import { ADMINS_DIALOGS } from './scenes/admin-dialogs.ts'
import { BUYERS_PAGES } from './scenes/buyer.ts'
import { BUYERS_DIALOGS } from './scenes/buyer-dialogs.ts'
import { FURTHER_PAGES } from './scenes/further.ts'
import { LOOKS } from './scenes/looks.ts'

/** Every page and dialog of both apps, for the guides. */
export const SCENES = [
  ...BUYERS_PAGES,
  ...BUYERS_DIALOGS,
  ...ADMINS_PAGES,
  ...ADMINS_DIALOGS,
  ...LOOKS,
]

/** What the guides do not show, but a person sees. */
export const FURTHER = FURTHER_PAGES
