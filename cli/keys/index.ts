import { Command } from 'commander'
import { createCommand } from './create.ts'
import { listCommand } from './list.ts'
import { revokeCommand } from './revoke.ts'
import { rotateCommand } from './rotate.ts'

/** `restock keys …` */
export function keysCommand(): Command {
  return new Command('keys')
    .description('issue and revoke API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addCommand(rotateCommand())
}
