// Who may import whom: docs/architecture.md. Imports are resolved as TypeScript resolves them, types included.
const OURS =
  '^(adapters|agent|app|bench|bin|cli|client|db|engine|holidays|sandbox|scripts|srv|tables|test)/'
/** @typedef {{ path?: string | string[], pathNot?: string | string[], circular?: boolean, couldNotResolve?: boolean }} End */

/**
 * @param {string} name
 * @param {string} comment
 * @param {End} from
 * @param {End} to
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
const law = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    law(
      'engine',
      'The engine imports nothing: no I/O, no clock, no packages.',
      { path: '^engine/' },
      { pathNot: '^engine/' },
    ),
    law(
      'tables',
      'The reader of files knows nothing of those who read them.',
      { path: '^tables/' },
      { path: [OURS, '^(node_modules/)?@(sap|cap-js)/'], pathNot: '^tables/' },
    ),
    law(
      'holidays',
      'The calendar of public holidays knows nothing of those who read it.',
      { path: '^holidays/' },
      { path: [OURS, '^(node_modules/)?@(sap|cap-js)/'], pathNot: '^holidays/' },
    ),
    law(
      'adapters',
      'Adapters import nothing of ours but the reader of files.',
      { path: '^adapters/' },
      { path: OURS, pathNot: '^(adapters|tables)/' },
    ),
    law(
      'adapters-know-no-cap',
      'Adapters know no CAP.',
      { path: '^adapters/' },
      { path: '^(node_modules/)?@(sap|cap-js)/' },
    ),
    law(
      'base',
      'The base knows neither what is done with it nor who asks for it.',
      { path: '^srv/base/' },
      { path: '^srv/(domain|doors)/' },
    ),
    law(
      'domain',
      'The domain knows none of its doors.',
      { path: '^srv/domain/' },
      { path: '^srv/doors/' },
    ),
    law(
      'doors',
      'A door knows no other door.',
      { path: '^srv/doors/([^/]+)/' },
      { path: '^srv/doors/', pathNot: '^srv/doors/$1/' },
    ),
    law(
      'adapters-by-contract',
      'The service knows the contract and the kit of adapters, and none of them.',
      { path: '^srv/' },
      { path: '^adapters/[^/]+/', pathNot: '^adapters/(http|odata|rows)/' },
    ),
    law(
      'service-knows-no-client',
      'The service knows neither its clients nor what develops it.',
      { path: '^srv/', pathNot: '^srv/doors/v1/agent\\.ts$' },
      { path: OURS, pathNot: '^(srv|adapters|engine|holidays|tables)/' },
    ),
    law(
      'agent',
      "The agent's tools know the client alone, so that they can do no more than it.",
      { path: '^agent/' },
      { path: [OURS, '^(node_modules/)?@(sap|cap-js)/'], pathNot: '^(agent|client)/' },
    ),
    law(
      'composition-root',
      'Nobody imports the composition root.',
      {},
      { path: '^srv/server\\.ts$' },
    ),
    law(
      'client',
      'The client knows the contract of the API alone.',
      { path: '^client/', pathNot: '^client/generate\\.ts$' },
      { path: OURS, pathNot: '^client/' },
    ),
    law(
      'cli',
      'The CLI speaks HTTP, and knows the engine, the reader of files and public holidays.',
      { path: '^cli/' },
      { path: OURS, pathNot: '^(agent|cli|client|engine|holidays|tables)/' },
    ),
    law(
      'cli-knows-no-cap',
      'The CLI speaks HTTP.',
      { path: '^cli/' },
      { path: '^(node_modules/)?@(sap|cap-js)/' },
    ),
    law(
      'sandbox',
      'The sandbox is an ERP: it knows nothing of those who read it.',
      { path: '^sandbox/' },
      { path: [OURS, '^(node_modules/)?@(sap|cap-js)/'], pathNot: '^sandbox/' },
    ),
    law('no-cycles', 'Imports go one way.', {}, { circular: true }),
    // The apps import what the server puts side by side.
    law('resolvable', 'What is imported exists.', { pathNot: '^app/' }, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(gen|\\.restock|coverage)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
