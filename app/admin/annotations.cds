// How the app shows what srv/admin offers, an area a file.
using from './annotations/sources';
using from './annotations/syncs';
using from './annotations/rules';
using from './annotations/systems';
using from './annotations/approvers';
using from './annotations/watching';
using from './annotations/choices';
