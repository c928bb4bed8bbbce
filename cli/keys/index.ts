import { Command } from 'commander'
import { confirmCommand } from './confirm.ts'
import { createCommand } from './create.ts'
import { listCommand } from './list.ts'
import { revokeCommand } from './revoke.ts'
import { rotateCommand } from './rotate.ts'

/** `restock keys …` */
export function keysCommand(): Command {
  return new Command('keys')
    .description('issue, confirm and revoke API keys')
    .addCommand(createCommand())
    .addCommand(confirmCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addCommand(rotateCommand())
}
