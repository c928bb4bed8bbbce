// The UI5 CLI in a process of its own: whatever becomes of it, the service goes on. It ends with the service.
process.on('disconnect', () => process.exit())
// The channel alone must not keep a build alive that is done.
process.channel?.unref()
process.argv.splice(1, 1, 'ui5')
// It brings no types.
const UI5: string = '@ui5/cli/bin/ui5.cjs'
await import(UI5)
