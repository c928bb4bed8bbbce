using from './types';
using from './source';
using from './catalog';
using from './stock';
using from './demand';
using from './forecast';
using from './proposal';
using from './access';
