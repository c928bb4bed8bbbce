// Annotations of BuyerService for the app, one file for each area.
using from './annotations/proposals';
using from './annotations/proposal-page';
using from './annotations/decisions';
using from './annotations/blocked';
using from './annotations/exceptions';
using from './annotations/items';
using from './annotations/keys';
using from './annotations/overrides';
using from './annotations/small-lines';
using from './annotations/value-helps';
