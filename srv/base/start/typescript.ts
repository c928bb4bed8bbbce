// Imported before CAP, which reads it when it is loaded: without a build the service's files are TypeScript.
if (import.meta.filename.endsWith('.ts')) process.env.CDS_TYPESCRIPT = 'true'
