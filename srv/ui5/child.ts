// The UI5 CLI in a process of its own: whatever becomes of it, the service goes on. It ends with the service.
process.on('disconnect', () => process.exit())
// The channel alone must not keep a build alive that is done.
process.channel?.unref()
process.argv.splice(1, 1, 'ui5')
await import('@ui5/cli/bin/ui5.cjs' as string)
