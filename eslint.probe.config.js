import ts from 'typescript-eslint'
export default ts.config(
  { ignores: ['node_modules','@cds-models','client/generated.d.ts','gen','.restock','data','coverage','app'] },
  { files: ['**/*.ts','*.js','.*.js','bin/*.js'], plugins: {'@typescript-eslint': ts.plugin}, languageOptions: { parser: ts.parser, parserOptions: { projectService: true } }, linterOptions:{reportUnusedDisableDirectives:'off'},
   rules: Object.fromEntries(['no-floating-promises','no-misused-promises','await-thenable','no-unsafe-assignment','no-unsafe-member-access','no-unsafe-call','no-unsafe-return','no-unsafe-argument','no-unnecessary-type-assertion','consistent-type-imports'].map(n=>['@typescript-eslint/'+n,'error'])) },
)
