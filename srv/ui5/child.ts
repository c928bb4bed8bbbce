// The UI5 CLI in a process of its own: its failure does not affect the service, and it ends with the service.
process.on('disconnect', () => process.exit())
// An open channel would keep the process alive after the build.
process.channel?.unref()
process.argv.splice(1, 1, 'ui5')
// The package has no types.
const UI5: string = '@ui5/cli/bin/ui5.cjs'
await import(UI5)
