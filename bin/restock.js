#!/usr/bin/env node
// Parsed by whatever Node is on the PATH, so: plain JavaScript, no import statements.
/** @typedef {{ main: (argv: string[]) => Promise<void> }} Main */
var HANDED_OVER = 'RESTOCK_NODE_HANDED_OVER'

/** @param {typeof import('node:fs')} fs @param {typeof import('node:path')} path */
function locate(fs, path) {
  var root = path.dirname(path.dirname(fs.realpathSync(/** @type {string} */ (process.argv[1]))))
  var built = path.join(root, 'cli', 'main.js')
  var isBuilt = fs.existsSync(built)
  var bundled = ['node', 'node.exe']
    .map(function (name) {
      return path.join(root, 'node_modules', 'node', 'bin', name)
    })
    .filter(fs.existsSync)[0]
  return {
    root: root,
    main: isBuilt ? built : path.join(root, 'cli', 'main.ts'),
    isBuilt: isBuilt,
    bundled: bundled,
  }
}

/**
 * Without a build the types must be stripped, which Node does of itself from 22.18.
 * @param {boolean} isBuilt
 */
function isNewEnough(isBuilt) {
  return parseInt(process.versions.node, 10) >= 22 && (isBuilt || !!process.features.typescript)
}

/**
 * Keeps what Node compiled beside the packages, for the threads and the commands after this one: where that folder may not be written,
 * each compiles for itself.
 * @param {string} root @param {typeof import('node:path')} path
 */
function keepCompiled(root, path) {
  var folder = path.join(root, 'node_modules', '.cache', 'restock-compiled')
  if (!process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = folder
  return import('module').then(function (module) {
    if (module.enableCompileCache) module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  })
}

/** @param {typeof import('node:child_process')} childProcess @param {string} node */
function handOver(childProcess, node) {
  var env = Object.assign({}, process.env)
  env[HANDED_OVER] = '1'
  var child = childProcess.spawn(node, process.argv.slice(1), { stdio: 'inherit', env: env })
  process.on('SIGINT', function () {}) // the terminal sends it to the child too
  process.on('SIGTERM', function () {
    child.kill('SIGTERM')
  })
  child.on('error', refuse)
  child.on('exit', function (code, signal) {
    if (signal) process.removeAllListeners(signal)
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code === null ? 1 : code
  })
}

function refuse() {
  process.stderr.write(
    'error: restock needs Node 22.18 or later, and this is Node ' + process.versions.node + '.\n',
  )
  process.exitCode = 1
}

Promise.all([import('fs'), import('path'), import('child_process'), import('url')]).then(function (
  modules,
) {
  var found = locate(modules[0], modules[1])
  if (isNewEnough(found.isBuilt)) {
    return keepCompiled(found.root, modules[1])
      .then(function () {
        return import(modules[3].pathToFileURL(found.main).href)
      })
      .then(function (/** @type {Main} */ cli) {
        return cli.main(process.argv)
      })
  }
  if (found.bundled && !process.env[HANDED_OVER]) handOver(modules[2], found.bundled)
  else refuse()
}, refuse)
