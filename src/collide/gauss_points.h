// SPDX-License-Identifier: MIT
// gauss_points.h: points and weights of Gauss and Legendre on [-1, 1]. Of each pair, which lies on both sides of zero, one is stored.
#pragma once

typedef struct RbGaussPoints {
    int count;
    double at[8], weight[8];
} RbGaussPoints;

static const double rb_gauss_2 = 0.57735026918962576; // with weights of one
static const RbGaussPoints rb_gauss_two = {2, {0.57735026918962576}, {1}};
static const RbGaussPoints rb_gauss_3 = {
    3, {0, 0.7745966692414834}, {0.88888888888888889, 0.55555555555555556}};
static const RbGaussPoints rb_gauss_4 = {
    4, {0.33998104358485626, 0.86113631159405257}, {0.65214515486254614, 0.34785484513745386}};
static const RbGaussPoints rb_gauss_5 = {
    5,
    {0, 0.53846931010568309, 0.90617984593866399},
    {0.56888888888888889, 0.47862867049936647, 0.23692688505618909}};
static const RbGaussPoints rb_gauss_6 = {
    6,
    {0.23861918608319693, 0.66120938646626459, 0.93246951420315205},
    {0.46791393457269126, 0.36076157304813861, 0.1713244923791705}};
static const RbGaussPoints rb_gauss_8 = {
    8,
    {0.18343464249564981, 0.52553240991632899, 0.79666647741362674, 0.96028985649753623},
    {0.36268378337836199, 0.31370664587788727, 0.22238103445337448, 0.10122853629037626}};
static const RbGaussPoints rb_gauss_16 = {
    16,
    {0.095012509837637441, 0.28160355077925892, 0.45801677765722737, 0.61787624440264377,
     0.755404408355003, 0.86563120238783176, 0.9445750230732326, 0.98940093499164994},
    {0.18945061045506847, 0.18260341504492361, 0.16915651939500256, 0.14959598881657682,
     0.12462897125553395, 0.095158511682492786, 0.062253523938647894, 0.027152459411754096}};

// The sixteen points in theta, at sin(pi/2 theta). At both ends of the part that overlaps the integrand falls as a power of the way left: the
// sine makes it smooth.
static const RbGaussPoints rb_sine_16 = {
    16,
    {0.1486918658904044, 0.42805706358886858, 0.65897188539908469, 0.8252008724268356,
     0.92709488878831248, 0.97780813794197374, 0.99621255386233565, 0.99986140906066179},
    {0.29428020535714261, 0.25922560915793513, 0.19985877562414886, 0.13272868448664035,
     0.073378600646111208, 0.031315292297907409, 0.0085027701881592466, 0.00071006224195534489}};

// Of an odd number, the middle one is the first.
static inline double rb_gauss_at(const RbGaussPoints *g, int i) {
    int k = g->count % 2 ? i + 1 : i;
    return (k % 2 ? 1 : -1) * g->at[k / 2];
}

static inline double rb_gauss_weight(const RbGaussPoints *g, int i) {
    return g->weight[(g->count % 2 ? i + 1 : i) / 2];
}
